/**
 * Joins the in-time and the late results of each sampled query, and measures its answer once: a state machine without
 * Flink and without a clock (Ubora, sec. 5). Read {@link io.kipimo.core.quality.join.JoinEngine} first, which manages
 * the life cycle of the queries, then {@link io.kipimo.core.quality.join.QueryJoin}, the rules of one query. The
 * quality job, the simulator, what-if and the deadline advice over recorded queries drive the same engine.
 */
package io.kipimo.core.quality.join;
