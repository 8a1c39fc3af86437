/**
 * What a proxy owes to both sides (RFC 9110, 9112). Read {@link
 * io.kipimo.gateway.http.ForwardedHeaders} and {@link io.kipimo.gateway.http.RequestCheck}.
 */
package io.kipimo.gateway.http;
