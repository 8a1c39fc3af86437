package io.kipimo.kafka;

import io.kipimo.schemas.field.OfServiceClass;
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
    /** Returns a key from a text, for example {@code RecordKey.text(Measurement::queryId)}. */
    static <T> RecordKey<T> text(KeyText<T> text) {
        return record -> text.of(record).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Returns the key {@code service/class} as text. All record types share this lambda: if a class has several
     * references to the inherited {@code scope()}, Java deserializes the wrong one (JDK-8208752).
     */
    static <T extends OfServiceClass> KeyText<T> scope() {
        return record -> record.scope();
    }

    /**
     * A key as text.
     *
     * @param <T> the record
     */
    @FunctionalInterface
    interface KeyText<T> extends Serializable {
        String of(T record);
    }
}
