/**
 * Deadline curves on Flink. Input are profiles of queries and counts of front ends, output is a curve for each class
 * and slide. Read {@link io.kipimo.operators.deadline.DeadlineFunction} first.
 */
package io.kipimo.operators.deadline;
