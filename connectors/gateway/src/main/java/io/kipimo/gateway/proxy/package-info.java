/**
 * Proxying of one request. Read {@link io.kipimo.gateway.proxy.Exchange} first; {@link io.kipimo.gateway.proxy.Route}
 * has the state that all requests of a listener share.
 */
package io.kipimo.gateway.proxy;
