/**
 * What a proxy costs a request that just passes through. Read {@link
 * io.kipimo.bench.gateway.GatewayBenchmark}.
 */
package io.kipimo.bench.gateway;
