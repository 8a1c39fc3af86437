package io.kipimo.operators.quality;

import io.kipimo.operators.types.Format;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Format of the state of a {@link LocalQueryJoinOperator}. */
public final class StoredPartitionFormat implements Format<StoredPartition> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<StoredPartition> type() {
        return StoredPartition.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(StoredPartition part, DataOutputView out) throws IOException {
        out.writeInt(part.partition());
        out.writeInt(part.partitions());
        out.writeLong(part.eventTimeMillis());
        out.writeInt(part.version());
        Format.writeBytes(part.toBytes(), out);
    }

    @Override
    public StoredPartition read(DataInputView in, int version) throws IOException {
        int partition = in.readInt();
        int partitions = in.readInt();
        long eventTimeMillis = in.readLong();
        int queryVersion = in.readInt();
        return StoredPartition.ofBytes(
                partition, partitions, eventTimeMillis, Format.readBytes(in), queryVersion);
    }
}
