/**
 * Commands that run servers in or beside the path of queries: the gateway and its profiler, adapters of HAProxy and
 * Envoy, the receiver of spans, and duplicates of Redis.
 */
package io.kipimo.cli.gateway;
