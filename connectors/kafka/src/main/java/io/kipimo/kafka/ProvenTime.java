package io.kipimo.kafka;

import io.kipimo.schemas.deadletter.DeadLetter;
import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.types.Either;

/**
 * Bounds a record's event time by the time at which the broker appended it. An event happened before its record was
 * appended, so a writer whose clock is ahead cannot advance event time. A record that was copied later has a late
 * append time and keeps its own event time.
 *
 * <p>If the topic records the writer's time (CreateTime) instead, the bound is the time of reading, which has no effect
 * while a backlog is read.
 *
 * <p>The result is used for watermarks only; the record keeps its own time.
 */
record ProvenTime<T>(EventTime<T> eventTime, PresentBound present, WritersAhead ahead)
        implements TimestampAssigner<Either<DeadLetter, T>> {
    /** Clocks that are ahead by more milliseconds than this are reported. Synchronized clocks differ by less. */
    static final long TOLERANCE_MILLIS = 2_000;

    /**
     * The bounded event time, epoch milliseconds.
     *
     * @param loggedMillis Kafka's time stamp of the record, epoch milliseconds; below 1: none
     */
    @Override
    public long extractTimestamp(Either<DeadLetter, T> found, long loggedMillis) {
        if (found.isLeft()) {
            return found.left().seenAtMillis();
        }
        long happened = eventTime.millis(found.right());
        long proven = present.atMost(loggedMillis > 0 ? loggedMillis : happened);
        if (happened <= proven) {
            return happened;
        }
        if (happened - proven > TOLERANCE_MILLIS) {
            String writer = eventTime.writer(found.right());
            if (!writer.equals(EventTime.REPORTED_ELSEWHERE)) {
                ahead.count(writer, happened - proven);
            }
        }
        return proven;
    }
}
