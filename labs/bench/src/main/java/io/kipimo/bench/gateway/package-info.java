/**
 * Measures the overhead of a proxy for a request that it passes on unchanged. Read
 * {@link io.kipimo.bench.gateway.GatewayBenchmark} first.
 */
package io.kipimo.bench.gateway;
