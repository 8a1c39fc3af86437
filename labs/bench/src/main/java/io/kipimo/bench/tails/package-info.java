/**
 * Observations of ten thousand servers through the tails job, compared with Flink's own windows. Read
 * {@link io.kipimo.bench.tails.TailsBenchmark} first.
 */
package io.kipimo.bench.tails;
