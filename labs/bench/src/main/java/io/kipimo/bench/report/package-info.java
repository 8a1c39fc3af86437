/**
 * The interface of a benchmark, the alternation of subjects, and the presentation of figures. Read
 * {@link io.kipimo.bench.report.Benchmark} first, then {@link io.kipimo.bench.report.SubjectComparison}.
 */
package io.kipimo.bench.report;
