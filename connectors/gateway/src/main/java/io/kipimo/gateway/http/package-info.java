/**
 * Checks of requests, and headers that a proxy changes (RFC 9110, 9112). Read
 * {@link io.kipimo.gateway.http.ForwardedHeaders} and {@link io.kipimo.gateway.http.RequestCheck}.
 */
package io.kipimo.gateway.http;
