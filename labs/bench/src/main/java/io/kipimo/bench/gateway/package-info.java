/**
 * Overhead of a proxy for a request that just passes through. Read {@link io.kipimo.bench.gateway.GatewayBenchmark}.
 */
package io.kipimo.bench.gateway;
