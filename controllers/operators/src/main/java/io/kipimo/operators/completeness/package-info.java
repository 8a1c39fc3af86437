/**
 * Learns completeness models on Flink. The input is measurements; the output is a model for each class at intervals.
 * Read {@link io.kipimo.operators.completeness.CompletenessFunction} first.
 */
package io.kipimo.operators.completeness;
