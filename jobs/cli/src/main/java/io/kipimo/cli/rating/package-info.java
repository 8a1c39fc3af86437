/**
 * Commands {@code kipimo rate}, which finds the highest load that a target carries within its agreement, and
 * {@code kipimo loadgen}, which generates load. Read {@link io.kipimo.cli.rating.RateCommand} first.
 */
package io.kipimo.cli.rating;
