/**
 * Additions of the labs to the command {@code kipimo}: {@link io.kipimo.labs.commands.ReproduceCommand}, and the social
 * workload of {@code rate} and {@code loadgen}.
 */
package io.kipimo.labs.commands;
