package io.kipimo.operators.quality;

import io.kipimo.schemas.quality.JoinInput;

/**
 * How far a subtask of the feed has come, for a subtask of the join behind the shuffle. Each tells all of them.
 *
 * @param feed number of the feed's subtask
 * @param feeds number of its subtasks
 * @param eventTimeMillis event time that it has reached, epoch milliseconds; {@code Long.MIN_VALUE}: none yet
 * @param isIdle whether all that it reads is idle
 * @param key to which it is sent, {@link PartitionKeys#address}
 */
public record FeedTime(int feed, int feeds, long eventTimeMillis, boolean isIdle, int key) implements JoinInput {}
