/**
 * What can be foreseen of an answer before its deadline, on recorded queries of real services and of the simulator, and
 * whether a decision by it pays: copies, thinner samples, completeness announced early. Begin with
 * {@link io.kipimo.bench.foreseen.ForeseenBenchmark}.
 */
package io.kipimo.bench.foreseen;
