package io.kipimo.operators.types;

import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Snapshot of the serializer in a savepoint: the codec's name. Protobuf handles the evolution of
 * fields, so the same name is always compatible.
 */
public final class CodecSerializerSnapshot<T> implements TypeSerializerSnapshot<T> {
    private static final int VERSION = 1;

    /** Null until read, in an instance that Flink made. */
    private CodecReference<T> reference;

    /** For Flink, which reads into it. */
    public CodecSerializerSnapshot() {}

    CodecSerializerSnapshot(CodecReference<T> reference) {
        this.reference = reference;
    }

    @Override
    public int getCurrentVersion() {
        return VERSION;
    }

    @Override
    public void writeSnapshot(DataOutputView out) throws IOException {
        out.writeUTF(reference.codec().name());
    }

    /**
     * @throws IOException if this program does not know the version or the codec
     */
    @Override
    public void readSnapshot(int version, DataInputView in, ClassLoader classes)
            throws IOException {
        if (version != VERSION) {
            throw new IOException(
                    "codec serializer snapshot has version "
                            + version
                            + "; this program reads version "
                            + VERSION);
        }
        String name = in.readUTF();
        try {
            @SuppressWarnings("unchecked") // The name stands for the type.
            Codec<T> codec = (Codec<T>) Codecs.named(name);
            reference = CodecReference.to(codec);
        } catch (IllegalArgumentException e) {
            throw new IOException("state of an unknown message: " + e.getMessage(), e);
        }
    }

    @Override
    public TypeSerializer<T> restoreSerializer() {
        return new CodecSerializer<>(reference);
    }

    @Override
    public TypeSerializerSchemaCompatibility<T> resolveSchemaCompatibility(
            TypeSerializerSnapshot<T> old) {
        return old instanceof CodecSerializerSnapshot<T> that && reference.equals(that.reference)
                ? TypeSerializerSchemaCompatibility.compatibleAsIs()
                : TypeSerializerSchemaCompatibility.incompatible();
    }
}
