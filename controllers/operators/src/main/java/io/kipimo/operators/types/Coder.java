package io.kipimo.operators.types;

import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Writes, reads and copies values. One thread uses it, so it may keep what it needs in between.
 *
 * @param <T> the value
 */
public interface Coder<T> {
    void write(T value, DataOutputView out) throws IOException;

    /**
     * Reads a value.
     *
     * @param version of the written form, from 1 to that of the {@link Format}
     */
    T read(DataInputView in, int version) throws IOException;

    /** An independent copy; the value itself if values are immutable. */
    default T copy(T value) {
        return value;
    }
}
