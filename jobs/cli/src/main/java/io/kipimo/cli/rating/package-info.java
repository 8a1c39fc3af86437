/**
 * The command {@code rate}: the highest load that a target carries within its agreement. Read
 * {@link io.kipimo.cli.rating.RateCommand} first.
 */
package io.kipimo.cli.rating;
