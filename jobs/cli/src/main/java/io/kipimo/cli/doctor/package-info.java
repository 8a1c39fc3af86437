/**
 * Commands {@code kipimo doctor} and {@code kipimo status}: they check whether a running system works, and how good its
 * answers are. Read {@link io.kipimo.cli.doctor.Checkup} first.
 */
package io.kipimo.cli.doctor;
