/**
 * Measures what can be predicted of an answer before its deadline. Read
 * {@link io.kipimo.bench.foreseen.ForeseenBenchmark} first.
 */
package io.kipimo.bench.foreseen;
