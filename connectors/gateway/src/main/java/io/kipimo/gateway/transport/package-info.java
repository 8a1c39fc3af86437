/**
 * Rules of a single connection: the framing of its messages (RFC 9112), its least transfer rate, and when a connection
 * to a server may carry another request. Netty's codecs parse; the classes here refuse messages that Netty accepts
 * wrongly. Read {@link io.kipimo.gateway.transport.PipelineHandlers} first.
 */
package io.kipimo.gateway.transport;
