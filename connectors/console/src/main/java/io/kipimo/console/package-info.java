/**
 * The console: a process that reads topics and shows in a browser which classes need attention, since when, and what
 * Kipimo did. Read {@link io.kipimo.console.Console} first.
 */
package io.kipimo.console;
