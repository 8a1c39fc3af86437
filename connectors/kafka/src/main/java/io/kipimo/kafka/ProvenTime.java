package io.kipimo.kafka;

import io.kipimo.schemas.deadletter.DeadLetter;
import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.types.Either;

/**
 * Stamps a record with its event time, but not with a later one than its log proves: when the
 * broker appended it, which was after it happened, whatever its writer's clock says. So a writer
 * whose clock is ahead moves time for nobody. A record that is read long after it was written, or
 * was copied since, has a late append time and keeps its own.
 *
 * <p>Where the log has the writer's time instead (CreateTime), what is proven is that a record was
 * written before it is read. That protects as long as reading keeps up; of a backlog it proves
 * nothing.
 *
 * <p>The stamp counts for watermarks only; the record keeps its own time.
 */
final class ProvenTime<T> implements TimestampAssigner<Either<DeadLetter, T>> {
    /** Whose clock is ahead by more is named; clocks that are kept in step differ by less. */
    static final long TOLERANCE_MILLIS = 2_000;

    private final EventTime<T> eventTime;
    private final WallClock clock;
    private final WritersAhead ahead;

    ProvenTime(EventTime<T> eventTime, WallClock clock, WritersAhead ahead) {
        this.eventTime = eventTime;
        this.clock = clock;
        this.ahead = ahead;
    }

    /**
     * The stamp, epoch milliseconds.
     *
     * @param loggedMillis the record's time in the log; below 1: it has none
     */
    @Override
    public long extractTimestamp(Either<DeadLetter, T> found, long loggedMillis) {
        if (found.isLeft()) {
            return found.left().seenAtMillis();
        }
        long happened = eventTime.millis(found.right());
        long proven = clock.nowMillis();
        if (loggedMillis > 0 && loggedMillis < proven) {
            proven = loggedMillis;
        }
        if (happened <= proven) {
            return happened;
        }
        if (happened - proven > TOLERANCE_MILLIS) {
            ahead.count(eventTime.writer(found.right()), happened - proven);
        }
        return proven;
    }
}
