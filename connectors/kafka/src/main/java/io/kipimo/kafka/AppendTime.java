package io.kipimo.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;

/**
 * Determines when a record was appended to the log. Only topics with {@code LogAppendTime} state this time. In other
 * topics the writer's time stands in for it, but at most the time of reading, so that a writer whose clock is ahead
 * cannot move it into the future.
 */
final class AppendTime {
    private AppendTime() {}

    /**
     * Append time of a record, epoch milliseconds.
     *
     * @param eventTimeMillis event time of the record, which stands in for a missing time stamp, epoch milliseconds
     */
    static long millis(ConsumerRecord<?, ?> entry, long eventTimeMillis, PresentBound present) {
        if (isStated(entry)) {
            return entry.timestamp();
        }
        return present.atMost(entry.timestamp() > 0 ? entry.timestamp() : eventTimeMillis);
    }

    /** Whether the broker stated the append time. */
    static boolean isStated(ConsumerRecord<?, ?> entry) {
        return entry.timestampType() == TimestampType.LOG_APPEND_TIME && entry.timestamp() > 0;
    }
}
