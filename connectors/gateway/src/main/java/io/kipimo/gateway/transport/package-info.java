/**
 * What one connection may do: how messages are framed on it (RFC 9112), how slow it may be, and
 * when a connection to a server may carry another request. Netty's codecs do the reading; the
 * classes here refuse what they let pass. Read {@link io.kipimo.gateway.transport.PipelineHandlers}
 * first.
 */
package io.kipimo.gateway.transport;
