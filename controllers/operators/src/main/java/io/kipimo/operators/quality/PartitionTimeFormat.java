package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.PartitionTime;
import io.kipimo.operators.types.Format;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Format of the state of {@link PartitionTimes}. */
public final class PartitionTimeFormat implements Format<StoredPartitionTime> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<StoredPartitionTime> type() {
        return StoredPartitionTime.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(StoredPartitionTime one, DataOutputView out) throws IOException {
        out.writeInt(one.place());
        out.writeLong(one.time().reachedMillis());
        out.writeLong(one.time().appendedMillis());
        out.writeLong(one.time().silentUntilMillis());
    }

    @Override
    public StoredPartitionTime read(DataInputView in, int version) throws IOException {
        return new StoredPartitionTime(
                in.readInt(), new PartitionTime(in.readLong(), in.readLong(), in.readLong()));
    }

    @Override
    public StoredPartitionTime copy(StoredPartitionTime one) {
        PartitionTime time = one.time();
        return new StoredPartitionTime(
                one.place(),
                new PartitionTime(
                        time.reachedMillis(), time.appendedMillis(), time.silentUntilMillis()));
    }
}
