/**
 * Answer quality on Flink: the join of a query's events, the quality intervals of expired measurements, windows and
 * control batches. Read {@link io.kipimo.operators.quality.QueryJoinOperator} first.
 */
package io.kipimo.operators.quality;
