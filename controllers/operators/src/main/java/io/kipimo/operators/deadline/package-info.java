/**
 * Computes deadline curves on Flink. The input is profiles of queries and counts of front ends; the output is a curve
 * for each class and slide. Read {@link io.kipimo.operators.deadline.DeadlineFunction} first.
 */
package io.kipimo.operators.deadline;
