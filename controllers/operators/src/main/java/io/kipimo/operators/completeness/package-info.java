/**
 * Learned completeness on Flink: measurements in, now and then a model a class out. Read {@link
 * io.kipimo.operators.completeness.CompletenessFunction} first.
 */
package io.kipimo.operators.completeness;
