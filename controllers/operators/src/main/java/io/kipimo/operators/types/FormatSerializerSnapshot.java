package io.kipimo.operators.types;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.types.StringValue;

/**
 * Snapshot of the serializer in a savepoint: the {@link Format}'s name, version and shape. Values of an older form are
 * read in that form and written in the newest.
 */
public final class FormatSerializerSnapshot<T> implements TypeSerializerSnapshot<T> {
    private static final int VERSION = 1;

    /** Format of the values. In an instance that Flink created, it is null until {@link #readSnapshot}. */
    private Format<T> format;

    private int storedVersion;
    private String storedShape;

    /** Creates an empty snapshot for Flink, which then calls {@link #readSnapshot}. */
    public FormatSerializerSnapshot() {}

    FormatSerializerSnapshot(Format<T> format, int storedVersion, String storedShape) {
        this.format = format;
        this.storedVersion = storedVersion;
        this.storedShape = storedShape;
    }

    /** Name of the format. */
    @Override
    public String toString() {
        return format.name();
    }

    @Override
    public int getCurrentVersion() {
        return VERSION;
    }

    @Override
    public void writeSnapshot(DataOutputView out) throws IOException {
        StringValue.writeString(format.name(), out);
        out.writeInt(storedVersion);
        StringValue.writeString(storedShape, out);
    }

    /** @throws IOException if this program does not know the format, or cannot read its form */
    @Override
    public void readSnapshot(int version, DataInputView in, ClassLoader classes) throws IOException {
        if (version != VERSION) {
            throw new IOException(
                    "format serializer snapshot has version " + version + "; this program reads version " + VERSION);
        }
        try {
            @SuppressWarnings("unchecked") // The name stands for the type.
            Format<T> known = (Format<T>) FormatCatalogue.named(StringValue.readString(in));
            format = known;
        } catch (IllegalArgumentException e) {
            throw new IOException("state cannot be read: " + e.getMessage(), e);
        }
        storedVersion = in.readInt();
        storedShape = StringValue.readString(in);
        format.coder(storedVersion, storedShape);
    }

    @Override
    public TypeSerializer<T> restoreSerializer() {
        try {
            return new FormatSerializer<>(format, storedVersion, storedShape);
        } catch (IOException e) {
            throw new IllegalStateException("has been read before", e);
        }
    }

    @Override
    public TypeSerializerSchemaCompatibility<T> resolveSchemaCompatibility(TypeSerializerSnapshot<T> old) {
        if (!(old instanceof FormatSerializerSnapshot<T> that) || !format.equals(that.format)) {
            return TypeSerializerSchemaCompatibility.incompatible();
        }
        return that.storedVersion == storedVersion && that.storedShape.equals(storedShape)
                ? TypeSerializerSchemaCompatibility.compatibleAsIs()
                : TypeSerializerSchemaCompatibility.compatibleAfterMigration();
    }
}
