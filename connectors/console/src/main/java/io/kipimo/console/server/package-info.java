/**
 * The console over HTTP: the page, what it shows as JSON, pushed when it changes, and the two
 * things that a person may set. Knows neither the topics nor what the figures mean. Read {@link
 * io.kipimo.console.server.ConsoleServer} first.
 */
package io.kipimo.console.server;
