/** Connections that break on demand: {@link io.kipimo.embedded.network.TcpProxy}. */
package io.kipimo.embedded.network;
