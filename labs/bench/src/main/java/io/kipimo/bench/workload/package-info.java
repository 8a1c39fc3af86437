/**
 * Workloads for benchmarks: seeded queries in the form in which a scatter-gather service reports them. Read
 * {@link io.kipimo.bench.workload.EventWorkload} first.
 */
package io.kipimo.bench.workload;
