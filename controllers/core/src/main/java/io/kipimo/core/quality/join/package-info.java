/**
 * Joins what arrived in time with what arrived late, per sampled query, and measures the answer
 * once: a pure state machine without engine or clock (Ubora, sec. 3 and 4). Read {@link
 * io.kipimo.core.quality.join.JoinEngine} first, which owns the life of the queries, then {@link
 * io.kipimo.core.quality.join.QueryJoin}, the rules of one. The quality job, the simulator, what-if
 * and the deadline advice over recorded queries drive the same engine.
 */
package io.kipimo.core.quality.join;
