/** Connections that break on demand. Read {@link io.kipimo.harness.network.TcpProxy}. */
package io.kipimo.harness.network;
