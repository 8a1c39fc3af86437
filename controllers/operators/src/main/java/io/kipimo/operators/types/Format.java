package io.kipimo.operators.types;

import java.io.IOException;
import java.io.Serializable;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * How values that are no wire messages travel and rest: keys, compact state, records on the hot
 * path. A format is a public class with a public constructor without arguments; savepoints refer to
 * it by its class and {@link #version}. Used by one thread.
 *
 * @param <T> the value
 */
public interface Format<T> extends Serializable {
    Class<T> type();

    /** Rises when what is written changes. */
    int version();

    void write(T value, DataOutputView out) throws IOException;

    /**
     * Reads a value.
     *
     * @param version it was written in, 1 to {@link #version}
     */
    T read(DataInputView in, int version) throws IOException;

    /** A value that does not change when this one does; itself where values are immutable. */
    default T copy(T value) {
        return value;
    }

    /** Whether streams may be keyed by it: its hash code is the same in every JVM. */
    default boolean isKey() {
        return false;
    }
}
