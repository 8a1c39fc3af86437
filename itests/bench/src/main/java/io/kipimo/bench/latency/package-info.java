/**
 * How long after the last result of a query its measurement is there for others. Read {@link
 * io.kipimo.bench.latency.LatencyBenchmark} first.
 */
package io.kipimo.bench.latency;
