package io.kipimo.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;

/**
 * When a record was appended to the log. Only topics with {@code LogAppendTime} say so. In other topics the writer's
 * time takes its place, but at most the time of reading, which a writer's wrong clock cannot move.
 */
final class AppendTime {
    private AppendTime() {}

    /**
     * Append time of a record, epoch milliseconds.
     *
     * @param eventTimeMillis stands in for a missing time stamp
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
