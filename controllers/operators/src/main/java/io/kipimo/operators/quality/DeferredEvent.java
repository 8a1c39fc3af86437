package io.kipimo.operators.quality;

import io.kipimo.schemas.codec.EventHead;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.JoinInput;

/**
 * An event of which only the head has been read, because a job that samples its backlog leaves most events out. Its
 * join either reads it or leaves it out, in the task of the source.
 */
public interface DeferredEvent extends JoinInput {
    EventHead head();

    /** Partition that it is in. */
    int partition();

    /** How long before this reading it was appended to the log, milliseconds. */
    long behindMillis();

    /** Reads the rest; null if it is unusable, and a dead letter now. */
    LoggedEvent read();

    /**
     * Leaves it out.
     *
     * @return event time that its partition has reached, epoch milliseconds
     */
    long leaveOut();

    @Override
    default long eventTimeMillis() {
        return head().eventTimeMillis();
    }
}
