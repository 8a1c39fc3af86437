package io.kipimo.operators.quality;

import io.kipimo.schemas.codec.EventHead;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.quality.JoinInput;
import java.util.function.Supplier;
import org.apache.flink.types.Either;

/**
 * An answer or a partial result of which only the head has been read, because a job that samples its backlog leaves
 * most events out.
 *
 * @param appendMillis when the event was appended to the log, epoch milliseconds
 * @param behindMillis time from the append until the event's head was read, milliseconds
 * @param rest reads the whole event, at most once; returns a dead letter if the event is unusable
 */
public record UnreadEvent(
        EventHead head,
        int partition,
        boolean isAnswer,
        long appendMillis,
        long behindMillis,
        Supplier<Either<DeadLetter, JoinInput>> rest)
        implements JoinInput {
    @Override
    public long eventTimeMillis() {
        return head.eventTimeMillis();
    }

    /** Place of the event's topic and partition in {@link PartitionTimes}. */
    int place() {
        return PartitionTimes.placeOf(partition, isAnswer);
    }
}
