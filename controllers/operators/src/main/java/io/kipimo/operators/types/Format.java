package io.kipimo.operators.types;

import java.io.IOException;
import java.io.Serializable;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Binary format of values that are not wire messages, between operators and in state: keys, compact
 * state, records on the hot path. A format is a public class with a public constructor without
 * arguments; savepoints refer to it by its class and {@link #version}. For one thread.
 *
 * @param <T> the value
 */
public interface Format<T> extends Serializable {
    Class<T> type();

    /** Version of the written form; it increases with every change of the form. */
    int version();

    void write(T value, DataOutputView out) throws IOException;

    /**
     * Reads a value.
     *
     * @param version version of the written form, 1 to {@link #version}
     */
    T read(DataInputView in, int version) throws IOException;

    /** Writes bytes after their number. */
    static void writeBytes(byte[] bytes, DataOutputView out) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** Reads what {@link #writeBytes} wrote. */
    static byte[] readBytes(DataInputView in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return bytes;
    }

    /** An independent copy; the value itself if values are immutable. */
    default T copy(T value) {
        return value;
    }

    /**
     * Whether streams may be keyed by the values, whose hash codes must be the same in every JVM.
     */
    default boolean isKey() {
        return false;
    }
}
