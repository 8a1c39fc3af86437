/**
 * What answers would have been worth at other deadlines: when every result came is known, so the
 * answer at any deadline within the expiration window can be merged again (the deadline advisor
 * that Ubora's data makes possible and Ubora does not have). One query's answers are a step
 * function, {@link io.kipimo.core.quality.deadline.QueryProfile}, made by {@link
 * io.kipimo.core.quality.deadline.Profiling}; many of them make a curve with intervals and the
 * economics of each component, {@link io.kipimo.core.quality.deadline.DeadlineCurves}; {@link
 * io.kipimo.core.quality.deadline.DeadlineAdvice} reads it the other way.
 */
package io.kipimo.core.quality.deadline;
