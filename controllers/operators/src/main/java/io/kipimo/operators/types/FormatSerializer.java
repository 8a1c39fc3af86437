package io.kipimo.operators.types;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.util.InstantiationUtil;

/** Runs a {@link Format}; each duplicate has a format of its own. */
final class FormatSerializer<T> extends TypeSerializer<T> {
    private static final long serialVersionUID = 1L;

    private final Format<T> format;

    /** Version for reading; writing uses the newest version of the format. */
    private final int readVersion;

    FormatSerializer(Format<T> format, int readVersion) {
        this.format = format;
        this.readVersion = readVersion;
    }

    Format<T> format() {
        return format;
    }

    /** False, so that Flink calls {@link #copy}, which returns immutable values themselves. */
    @Override
    public boolean isImmutableType() {
        return false;
    }

    @Override
    public TypeSerializer<T> duplicate() {
        @SuppressWarnings("unchecked") // A class is of its own type.
        Class<Format<T>> type = (Class<Format<T>>) format.getClass();
        return new FormatSerializer<>(InstantiationUtil.instantiate(type), readVersion);
    }

    /** Null, since deserialization never reuses an instance. */
    @Override
    public T createInstance() {
        return null;
    }

    @Override
    public T copy(T from) {
        return format.copy(from);
    }

    @Override
    public T copy(T from, T reuse) {
        return format.copy(from);
    }

    @Override
    public int getLength() {
        return -1;
    }

    @Override
    public void serialize(T value, DataOutputView target) throws IOException {
        format.write(value, target);
    }

    @Override
    public T deserialize(DataInputView source) throws IOException {
        return format.read(source, readVersion);
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
                && format.getClass() == that.format.getClass()
                && readVersion == that.readVersion;
    }

    @Override
    public int hashCode() {
        return format.getClass().hashCode();
    }

    @Override
    public TypeSerializerSnapshot<T> snapshotConfiguration() {
        return new FormatSerializerSnapshot<>(format, format.version());
    }
}
