/**
 * The paper's workload of inserts against active queries, beside testing every query against every write. Read
 * {@link io.kipimo.bench.invalidation.InvalidationBenchmark} first.
 */
package io.kipimo.bench.invalidation;
