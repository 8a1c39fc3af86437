/**
 * The console's HTTP server. It serves the page and its content as JSON, pushes changes, and accepts requests for
 * overrides and kill switches. It does not depend on topics or on the model. Read
 * {@link io.kipimo.console.server.ConsoleServer} first.
 */
package io.kipimo.console.server;
