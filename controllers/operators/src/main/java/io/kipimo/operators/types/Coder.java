package io.kipimo.operators.types;

import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Writes, reads and copies values. An instance is used by one thread, so it may keep objects between calls.
 *
 * @param <T> type of the values
 */
public interface Coder<T> {
    void write(T value, DataOutputView out) throws IOException;

    /**
     * Reads a value.
     *
     * @param version version in which the value was written, from 1 to the version of the {@link Format}
     */
    T read(DataInputView in, int version) throws IOException;

    /** Returns an independent copy, or the value itself if values are immutable. */
    default T copy(T value) {
        return value;
    }
}
