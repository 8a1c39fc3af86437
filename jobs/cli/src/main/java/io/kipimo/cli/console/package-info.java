/** {@code kipimo console}. Read {@link io.kipimo.cli.console.ConsoleCommand}. */
package io.kipimo.cli.console;
