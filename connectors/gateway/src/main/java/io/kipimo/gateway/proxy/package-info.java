/**
 * The way of a request. Read {@link io.kipimo.gateway.proxy.Exchange} first; {@link
 * io.kipimo.gateway.proxy.Route} is what all requests of a listener share.
 */
package io.kipimo.gateway.proxy;
