/**
 * Compares ways to share an overloaded search service between two classes, on real threads: admission by time-outs, by
 * measured quality, costliest queries first, priority queues in the components, and Netflix's concurrency limits. Read
 * {@link io.kipimo.bench.steering.SteeringBenchmark} first.
 */
package io.kipimo.bench.steering;
