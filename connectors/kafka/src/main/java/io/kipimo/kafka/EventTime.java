package io.kipimo.kafka;

import java.io.Serializable;

/**
 * Event time of a record, and the owner of the clock that stamped it.
 *
 * @param <T> type of the record
 */
@FunctionalInterface
public interface EventTime<T> extends Serializable {
    /** Owner of a clock that another reader of the same record reports. */
    String REPORTED_ELSEWHERE = "";

    /** Epoch milliseconds. */
    long millis(T record);

    /**
     * Owner of the clock as far as the record names it, for example service/component. Metrics name owners whose clock
     * is ahead.
     */
    default String writer(T record) {
        return "unnamed";
    }

    /** Event time with the name of the clock's owner. */
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
