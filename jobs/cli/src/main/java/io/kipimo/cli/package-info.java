/**
 * The command line, which inspects and controls a running system, and scores recorded answers offline. Read
 * {@link io.kipimo.cli.Main} first; each command is a class named after it.
 */
package io.kipimo.cli;
