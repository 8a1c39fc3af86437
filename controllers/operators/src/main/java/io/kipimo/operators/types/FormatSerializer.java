package io.kipimo.operators.types;

import java.io.IOException;
import java.io.Serial;
import java.io.Serializable;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Flink's serializer of values that have a {@link Format}. It reads the form in which the values were stored, and
 * writes the newest form. Each duplicate has a coder of its own.
 */
final class FormatSerializer<T> extends TypeSerializer<T> {
    private final Format<T> format;
    private final int readVersion;
    private final String readShape;
    private final transient Coder<T> coder;

    /** @throws IOException if the format cannot read that version or shape */
    FormatSerializer(Format<T> format, int readVersion, String readShape) throws IOException {
        this.format = format;
        this.readVersion = readVersion;
        this.readShape = readShape;
        this.coder = format.coder(readVersion, readShape);
    }

    /** Creates a serializer that reads and writes the newest form. */
    FormatSerializer(Format<T> format) {
        this.format = format;
        this.readVersion = format.version();
        this.readShape = format.shape();
        this.coder = format.coder();
    }

    /** Returns false, so that Flink calls {@link #copy}, which returns immutable values themselves. */
    @Override
    public boolean isImmutableType() {
        return false;
    }

    @Override
    public TypeSerializer<T> duplicate() {
        try {
            return new FormatSerializer<>(format, readVersion, readShape);
        } catch (IOException e) {
            throw new IllegalStateException("has been read before", e);
        }
    }

    /** Returns null, since deserialization never reuses an instance. */
    @Override
    public T createInstance() {
        return null;
    }

    @Override
    public T copy(T from) {
        return coder.copy(from);
    }

    @Override
    public T copy(T from, T reuse) {
        return coder.copy(from);
    }

    @Override
    public int getLength() {
        return -1;
    }

    @Override
    public void serialize(T value, DataOutputView target) throws IOException {
        coder.write(value, target);
    }

    @Override
    public T deserialize(DataInputView source) throws IOException {
        return coder.read(source, readVersion);
    }

    @Override
    public T deserialize(T reuse, DataInputView source) throws IOException {
        return deserialize(source);
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        serialize(deserialize(source), target);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FormatSerializer<?> that
                && format.equals(that.format)
                && readVersion == that.readVersion
                && readShape.equals(that.readShape);
    }

    @Override
    public int hashCode() {
        return format.hashCode();
    }

    @Override
    public TypeSerializerSnapshot<T> snapshotConfiguration() {
        return new FormatSerializerSnapshot<>(format, format.version(), format.shape());
    }

    /** Stores only the format in a job graph. A job graph belongs to one program, so its form is always the newest. */
    @Serial
    private Object writeReplace() {
        return new OfFormat(format);
    }

    private record OfFormat(Format<?> format) implements Serializable {
        @Serial
        private Object readResolve() {
            return new FormatSerializer<>(format);
        }
    }
}
