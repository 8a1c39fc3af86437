/**
 * Computes the quality of answers at other deadlines. The arrival of every result is known, so the answer at any
 * deadline within the expiration window can be merged again. (Ubora has the data for it, but no such advice.) One
 * query's answers are a step function, {@link io.kipimo.core.quality.deadline.QueryProfile}, made by
 * {@link io.kipimo.core.quality.deadline.Profiling}; {@link io.kipimo.core.quality.deadline.DeadlineCurves} sums up
 * many of them to a curve with intervals and the economics of each component;
 * {@link io.kipimo.core.quality.deadline.DeadlineAdvice} finds the shortest deadline that keeps an objective.
 * {@link io.kipimo.core.quality.deadline.QueryReplay} measures recorded queries as the quality job measures live ones.
 */
package io.kipimo.core.quality.deadline;
