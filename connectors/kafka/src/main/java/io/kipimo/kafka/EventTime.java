package io.kipimo.kafka;

import java.io.Serializable;

/**
 * When a record happened, and by whose clock.
 *
 * @param <T> the record
 */
@FunctionalInterface
public interface EventTime<T> extends Serializable {
    /** Epoch milliseconds. */
    long millis(T record);

    /**
     * Who stamped it, as far as the record says, for example service/component; a metric has the
     * name of whose clock is ahead.
     */
    default String writer(T record) {
        return "unnamed";
    }

    /** A time with the name of who stamped it. */
    static <T> EventTime<T> by(EventTime<T> time, RecordKey.Text<T> writer) {
        return new EventTime<>() {
            private static final long serialVersionUID = 1L;

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
