package io.kipimo.kafka;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * Key of a record in its topic.
 *
 * @param <T> the record
 */
@FunctionalInterface
public interface RecordKey<T> extends Function<T, byte[]>, Serializable {
    /** A key as text, for example {@code RecordKey.text(Decision::scope)}. */
    static <T> RecordKey<T> text(Text<T> text) {
        return record -> text.of(record).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * A key as text.
     *
     * @param <T> the record
     */
    @FunctionalInterface
    interface Text<T> extends Serializable {
        String of(T record);
    }
}
