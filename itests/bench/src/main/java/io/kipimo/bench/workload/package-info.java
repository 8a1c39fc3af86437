/**
 * What benchmarks measure on: queries as a scatter-gather service would report them, seeded. Read
 * {@link io.kipimo.bench.workload.EventWorkload} first.
 */
package io.kipimo.bench.workload;
