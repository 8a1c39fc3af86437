/** Opens the console beside a running demo. */
package io.kipimo.examples.console;
