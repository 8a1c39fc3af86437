/**
 * Compares the deadline advisor with measurements of a real service. Read
 * {@link io.kipimo.bench.deadline.DeadlineBenchmark} first.
 */
package io.kipimo.bench.deadline;
