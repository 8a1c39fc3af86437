package io.kipimo.core.quality.join;

/** Event time of a join, and when its queries are due; epoch milliseconds. */
public interface JoinProgress {
    /** Event time; {@link Long#MIN_VALUE} at first. */
    long eventTimeMillis();

    /** Earliest event time at which the join has work; {@link Long#MAX_VALUE}: none. */
    long nextDueMillis();

    /**
     * Event time by which every query so far is measured; {@link Long#MIN_VALUE} without queries. All are removed
     * {@link JoinEngine#TOMBSTONE_SLACK_MILLIS} later.
     */
    long lastSettledMillis();
}
