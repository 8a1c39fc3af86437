/**
 * Output of commands for people and programs: tables, JSON, one line for each problem, exit codes. Read
 * {@link io.kipimo.cli.terminal.Errors} first.
 */
package io.kipimo.cli.terminal;
