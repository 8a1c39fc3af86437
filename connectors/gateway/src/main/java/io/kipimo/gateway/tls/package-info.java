/**
 * TLS towards callers and servers: certificate files that may change while the gateway runs, and explanations of failed
 * connections. Read {@link io.kipimo.gateway.tls.TlsFiles} first.
 */
package io.kipimo.gateway.tls;
