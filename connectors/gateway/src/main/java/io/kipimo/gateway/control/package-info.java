/**
 * What a gateway hears from the controllers and tells the measuring jobs. Read {@link
 * io.kipimo.gateway.control.Control}.
 */
package io.kipimo.gateway.control;
