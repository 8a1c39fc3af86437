/**
 * Latency from the last result of a query to its visible measurement. Read
 * {@link io.kipimo.bench.latency.LatencyBenchmark} first.
 */
package io.kipimo.bench.latency;
