/** Measures the cost of jobs without input. Read {@link io.kipimo.bench.idle.IdleBenchmark} first. */
package io.kipimo.bench.idle;
