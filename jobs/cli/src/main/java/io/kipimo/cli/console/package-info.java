/**
 * Command {@code kipimo console}, which shows a running system in a browser. Read
 * {@link io.kipimo.cli.console.ConsoleCommand}.
 */
package io.kipimo.cli.console;
