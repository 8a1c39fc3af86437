/**
 * Learned completeness on Flink. Input are measurements, output is a model for each class at intervals. Read
 * {@link io.kipimo.operators.completeness.CompletenessFunction} first.
 */
package io.kipimo.operators.completeness;
