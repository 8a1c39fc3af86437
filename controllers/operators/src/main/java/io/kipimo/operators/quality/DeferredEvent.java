package io.kipimo.operators.quality;

import io.kipimo.schemas.codec.EventHead;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.JoinInput;

/**
 * An event of which only the head has been read, because a job that samples its backlog leaves most events out. The
 * join, which runs in the task of the source, either reads the rest or leaves the event out.
 */
public interface DeferredEvent extends JoinInput {
    EventHead head();

    /** Partition of the log that holds the event. */
    int partition();

    /** Age of the event when it is read: time since it was appended to the log, milliseconds. */
    long behindMillis();

    /** Reads the rest of the event. Returns null if the event is unusable and has become a dead letter. */
    LoggedEvent read();

    /**
     * Leaves the event out.
     *
     * @return event time that the event's partition has reached, epoch milliseconds
     */
    long leaveOut();

    @Override
    default long eventTimeMillis() {
        return head().eventTimeMillis();
    }
}
