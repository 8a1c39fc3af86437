/**
 * Connections that break on demand, and servers. Read {@link io.kipimo.harness.network.TcpProxy}.
 */
package io.kipimo.harness.network;
