/**
 * What can be foreseen of an answer before its deadline. Begin with {@link io.kipimo.bench.foreseen.ForeseenBenchmark}.
 */
package io.kipimo.bench.foreseen;
