/**
 * Deadline curves on Flink: profiles of queries and counts of front ends in, a curve a class and
 * slide out. Read {@link io.kipimo.operators.deadline.DeadlineFunction} first.
 */
package io.kipimo.operators.deadline;
