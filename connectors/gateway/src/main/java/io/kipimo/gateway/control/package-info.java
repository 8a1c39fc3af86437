/**
 * Decisions of the controllers, and events for the measuring jobs. Read {@link
 * io.kipimo.gateway.control.Control}.
 */
package io.kipimo.gateway.control;
