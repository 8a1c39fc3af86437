/**
 * Measures the latency from the last result of a query until its measurement can be read. Read
 * {@link io.kipimo.bench.latency.LatencyBenchmark} first.
 */
package io.kipimo.bench.latency;
