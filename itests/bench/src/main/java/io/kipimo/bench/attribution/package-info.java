/**
 * What it costs to say which late component lost how much. Read {@link
 * io.kipimo.bench.attribution.AttributionBenchmark} first.
 */
package io.kipimo.bench.attribution;
