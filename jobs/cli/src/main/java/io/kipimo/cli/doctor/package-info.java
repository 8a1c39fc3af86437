/**
 * Commands {@code kipimo doctor} and {@code kipimo status}: whether a running system works, and how its answers are.
 * Read {@link io.kipimo.cli.doctor.Checkup} first.
 */
package io.kipimo.cli.doctor;
