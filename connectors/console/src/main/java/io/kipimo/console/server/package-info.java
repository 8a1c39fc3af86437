/**
 * The console's HTTP server: the page, its content as JSON with pushes of changes, and requests for overrides and kill
 * switches. Independent of topics and of the model. Read {@link io.kipimo.console.server.ConsoleServer} first.
 */
package io.kipimo.console.server;
