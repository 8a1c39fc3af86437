/** Commands about the commands: completion scripts and man pages. */
package io.kipimo.cli.help;
