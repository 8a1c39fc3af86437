/**
 * Measures how the quality job's cost grows with items, components and open queries. Read
 * {@link io.kipimo.bench.growth.GrowthBenchmark} first.
 */
package io.kipimo.bench.growth;
