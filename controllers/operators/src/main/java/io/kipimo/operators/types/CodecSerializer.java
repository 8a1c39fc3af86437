package io.kipimo.operators.types;

import io.kipimo.schemas.codec.InvalidRecordException;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serializes a record as four bytes of length, big-endian, and its message. Records are immutable,
 * so copies are the record itself.
 */
final class CodecSerializer<T> extends TypeSerializer<T> {
    private static final long serialVersionUID = 1L;

    private final CodecReference<T> reference;

    CodecSerializer(CodecReference<T> reference) {
        this.reference = reference;
    }

    @Override
    public boolean isImmutableType() {
        return true;
    }

    /** Itself, since it has no state. */
    @Override
    public TypeSerializer<T> duplicate() {
        return this;
    }

    /** None: there is no empty record, and deserialization never fills one in. */
    @Override
    public T createInstance() {
        return null;
    }

    @Override
    public T copy(T from) {
        return from;
    }

    @Override
    public T copy(T from, T reuse) {
        return from;
    }

    @Override
    public int getLength() {
        return -1;
    }

    @Override
    public void serialize(T record, DataOutputView target) throws IOException {
        Format.writeBytes(reference.codec().encode(record), target);
    }

    @Override
    public T deserialize(DataInputView source) throws IOException {
        byte[] bytes = Format.readBytes(source);
        try {
            return reference.codec().decode(bytes);
        } catch (InvalidRecordException e) {
            throw new IOException("a stored " + reference + " cannot be read: " + e.getMessage());
        }
    }

    @Override
    public T deserialize(T reuse, DataInputView source) throws IOException {
        return deserialize(source);
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        // Not write(source, length), for which Flink's growing buffer does not grow.
        Format.writeBytes(Format.readBytes(source), target);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CodecSerializer<?> that && reference.equals(that.reference);
    }

    @Override
    public int hashCode() {
        return reference.hashCode();
    }

    @Override
    public TypeSerializerSnapshot<T> snapshotConfiguration() {
        return new CodecSerializerSnapshot<>(reference);
    }
}
