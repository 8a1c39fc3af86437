/**
 * What a benchmark is and how its figures are shown. Read {@link io.kipimo.bench.report.Benchmark}
 * first.
 */
package io.kipimo.bench.report;
