/**
 * The console: one process that follows the topics, and shows in a browser what is wrong, since
 * when and what Kipimo did about it. Read {@link io.kipimo.console.Console} first.
 */
package io.kipimo.console;
