package io.kipimo.kafka;

import java.io.Serializable;

/**
 * Event time of a record, and the owner of the clock that stamped it.
 *
 * @param <T> type of the record
 */
@FunctionalInterface
public interface EventTime<T> extends Serializable {
    /** Stands for the owner of a clock if another reader of the same record reports that owner. */
    String REPORTED_ELSEWHERE = "";

    /** Event time of the record, epoch milliseconds. */
    long millis(T record);

    /**
     * Owner of the clock as far as the record names it, for example service/component. Metrics name owners whose clock
     * is ahead.
     */
    default String writer(T record) {
        return "unnamed";
    }

    /** Returns an event time that also names the owner of the clock. */
    static <T> EventTime<T> by(EventTime<T> time, RecordKey.KeyText<T> writer) {
        return new EventTime<>() {
            @Override
            public long millis(T record) {
                return time.millis(record);
            }

            @Override
            public String writer(T record) {
                return writer.of(record);
            }
        };
    }
}
