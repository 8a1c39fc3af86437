/**
 * Cost of attributing a query's loss to its late components. Read
 * {@link io.kipimo.bench.attribution.AttributionBenchmark} first.
 */
package io.kipimo.bench.attribution;
