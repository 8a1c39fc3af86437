/**
 * Cost of restoring a store between a rating's experiments, for each method. Read
 * {@link io.kipimo.bench.strategies.StrategiesBenchmark} first.
 */
package io.kipimo.bench.strategies;
