/**
 * What a benchmark is, how subjects take turns, and how figures are shown. Read {@link
 * io.kipimo.bench.report.Benchmark} first, then {@link io.kipimo.bench.report.SubjectComparison}.
 */
package io.kipimo.bench.report;
