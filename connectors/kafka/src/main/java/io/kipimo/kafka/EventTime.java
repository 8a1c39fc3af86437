package io.kipimo.kafka;

import java.io.Serializable;

/**
 * When a record happened.
 *
 * @param <T> the record
 */
@FunctionalInterface
public interface EventTime<T> extends Serializable {
    /** Epoch milliseconds. */
    long millis(T record);
}
