/** Connections that break on demand: {@link io.kipimo.harness.network.TcpProxy}. */
package io.kipimo.harness.network;
