/**
 * Joins what arrived in time with what arrived late, per sampled query, and measures the answer
 * once: a pure state machine without engine or clock (Ubora, sec. 3 and 4). Read {@link
 * io.kipimo.core.quality.join.QueryJoin} first.
 */
package io.kipimo.core.quality.join;
