/** Opens the console beside a running demo. */
package io.kipimo.labs.demos.console;
