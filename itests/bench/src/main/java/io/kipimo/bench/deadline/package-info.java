/**
 * The deadline advisor against the truth, on a real service. Read {@link
 * io.kipimo.bench.deadline.DeadlineBenchmark} first.
 */
package io.kipimo.bench.deadline;
