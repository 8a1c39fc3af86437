package io.kipimo.operators.quality;

import io.kipimo.schemas.quality.JoinInput;

/**
 * Event time that a subtask of the feed (the source before the shuffle) has reached. Each subtask of the feed reports
 * it to all subtasks of the join behind the shuffle.
 *
 * @param feed number of the feed's subtask
 * @param feeds number of the feed's subtasks
 * @param eventTimeMillis event time that the feed's subtask has reached, epoch milliseconds; {@code Long.MIN_VALUE}:
 *     none yet
 * @param isIdle whether all inputs of the feed's subtask are idle
 * @param key key to which the report is sent, {@link PartitionKeys#address}
 */
public record FeedTime(int feed, int feeds, long eventTimeMillis, boolean isIdle, int key) implements JoinInput {}
