package io.kipimo.operators.ttl;

import io.kipimo.core.ttl.TrackedRecord;
import io.kipimo.core.ttl.WriteCount;
import io.kipimo.operators.types.Format;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** State of {@link RecordTtlFunction}: 48 bytes for a record. */
public final class TrackedRecordFormat implements Format<TrackedRecord> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<TrackedRecord> type() {
        return TrackedRecord.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(TrackedRecord record, DataOutputView out) throws IOException {
        out.writeLong(record.writes().pane());
        out.writeLong(record.writes().current());
        out.writeLong(record.writes().previous());
        out.writeLong(record.lastReadMillis());
        TrackedQueryFormat.writePublished(record.published(), out);
    }

    @Override
    public TrackedRecord read(DataInputView in, int version) throws IOException {
        return new TrackedRecord(
                new WriteCount(in.readLong(), in.readLong(), in.readLong()),
                in.readLong(),
                TrackedQueryFormat.readPublished(in));
    }
}
