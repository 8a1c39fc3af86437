/**
 * Runs the Quaestor paper's workload of inserts against active queries. The peer tests every query against every write.
 * Read {@link io.kipimo.bench.invalidation.InvalidationBenchmark} first.
 */
package io.kipimo.bench.invalidation;
