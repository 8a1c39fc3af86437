package io.kipimo.core.quality.join;

import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.SampledEvent;
import java.io.Serializable;

/**
 * Tracks how far one partition of the log has come, and states this in each of its events. So whether an event is late
 * does not depend on when it is read, or beside which other events. Mutable, for one thread. The state follows from the
 * events of the partition alone, in order.
 */
public final class PartitionTime {
    private static final long NONE = Long.MIN_VALUE;

    private long reachedMillis;
    private long appendedMillis = NONE;
    private long silentUntilMillis = NONE;

    /**
     * The disorder and the silence that a job tolerates in the log.
     *
     * @param outOfOrderMillis greatest delay of an event behind younger ones of its partition
     * @param idleMillis silence after which a partition no longer holds back the others
     */
    public record Tolerance(long outOfOrderMillis, long idleMillis) implements Serializable {}

    /** Starts at the beginning of a partition. */
    public PartitionTime() {}

    /** Continues from a stored state. Each parameter is the value of the accessor with its name. */
    public PartitionTime(long reachedMillis, long appendedMillis, long silentUntilMillis) {
        this.reachedMillis = reachedMillis;
        this.appendedMillis = appendedMillis;
        this.silentUntilMillis = silentUntilMillis;
    }

    /** An independent copy. */
    public PartitionTime copy() {
        return new PartitionTime(reachedMillis, appendedMillis, silentUntilMillis);
    }

    /** Event time that the partition has reached, epoch milliseconds; 0 at its beginning. */
    public long reachedMillis() {
        return reachedMillis;
    }

    /**
     * Greatest append time so far, epoch milliseconds. A broker's clock may be set back, and the clock of a new leader
     * may be behind.
     */
    public long appendedMillis() {
        return appendedMillis;
    }

    /** Append time of the first event after the last silence, epoch milliseconds. */
    public long silentUntilMillis() {
        return silentUntilMillis;
    }

    /** Whether this is a later state of the same partition. Neither append time nor event time ever goes back. */
    public boolean hasReadMoreThan(PartitionTime other) {
        return appendedMillis > other.appendedMillis
                || (appendedMillis == other.appendedMillis && reachedMillis > other.reachedMillis);
    }

    /**
     * Takes the next event of the partition, and states in it how far the partition has come. So far the event has only
     * its append time. An event without an append time stays as it is.
     */
    public void place(LoggedEvent event, Tolerance tolerance) {
        if (event.appendWatermarkMillis() == SampledEvent.NO_LOG) {
            return;
        }
        append(event.appendWatermarkMillis(), tolerance);
        // Event times are whole milliseconds: one equal to the newest may follow.
        long behind = tolerance.outOfOrderMillis() + 1;
        event.place(reachedMillis - behind, appendedMillis - behind, reachedMillis >= silentUntilMillis);
        reach(event.eventTimeMillis());
    }

    /** Takes the next event of the partition as {@link #place} does, but for an event that the job leaves out. */
    public void pass(long eventTimeMillis, long appendMillis, Tolerance tolerance) {
        append(appendMillis, tolerance);
        reach(eventTimeMillis);
    }

    private void append(long millis, Tolerance tolerance) {
        long appended = Math.max(appendedMillis, millis);
        if (appendedMillis == NONE || appended - appendedMillis > tolerance.idleMillis()) {
            silentUntilMillis = appended;
        }
        appendedMillis = appended;
    }

    private void reach(long eventTimeMillis) {
        // An event happened before it was appended, whatever its writer's clock says.
        reachedMillis = Math.max(reachedMillis, Math.min(eventTimeMillis, appendedMillis));
    }
}
