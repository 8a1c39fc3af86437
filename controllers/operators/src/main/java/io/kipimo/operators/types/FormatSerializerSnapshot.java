package io.kipimo.operators.types;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.util.InstantiationUtil;

/**
 * Snapshot of the serializer in a savepoint: the {@link Format}'s class and version. Values in an
 * older version are read as such and written in the newest version.
 */
public final class FormatSerializerSnapshot<T> implements TypeSerializerSnapshot<T> {
    private static final int VERSION = 1;

    /** Null until read, in an instance that Flink made. */
    private Format<T> format;

    private int formatVersion;

    /** For Flink, which reads into it. */
    public FormatSerializerSnapshot() {}

    FormatSerializerSnapshot(Format<T> format, int formatVersion) {
        this.format = format;
        this.formatVersion = formatVersion;
    }

    @Override
    public int getCurrentVersion() {
        return VERSION;
    }

    @Override
    public void writeSnapshot(DataOutputView out) throws IOException {
        out.writeUTF(format.getClass().getName());
        out.writeInt(formatVersion);
    }

    /**
     * @throws IOException if this program does not know the version or the format
     */
    @Override
    public void readSnapshot(int version, DataInputView in, ClassLoader classes)
            throws IOException {
        if (version != VERSION) {
            throw new IOException(
                    "format serializer snapshot has version "
                            + version
                            + "; this program reads version "
                            + VERSION);
        }
        Class<?> type = InstantiationUtil.resolveClassByName(in, classes);
        if (!Format.class.isAssignableFrom(type)) {
            throw new IOException(type.getName() + " is not a format");
        }
        @SuppressWarnings("unchecked") // The class stands for the type.
        Format<T> known = (Format<T>) InstantiationUtil.instantiate(type);
        format = known;
        formatVersion = in.readInt();
        if (formatVersion < 1 || formatVersion > format.version()) {
            throw new IOException(
                    type.getName()
                            + " wrote version "
                            + formatVersion
                            + "; this program reads 1.."
                            + format.version());
        }
    }

    @Override
    public TypeSerializer<T> restoreSerializer() {
        return new FormatSerializer<>(format, formatVersion);
    }

    @Override
    public TypeSerializerSchemaCompatibility<T> resolveSchemaCompatibility(
            TypeSerializerSnapshot<T> old) {
        if (!(old instanceof FormatSerializerSnapshot<T> that)
                || format.getClass() != that.format.getClass()) {
            return TypeSerializerSchemaCompatibility.incompatible();
        }
        return that.formatVersion == formatVersion
                ? TypeSerializerSchemaCompatibility.compatibleAsIs()
                : TypeSerializerSchemaCompatibility.compatibleAfterMigration();
    }
}
