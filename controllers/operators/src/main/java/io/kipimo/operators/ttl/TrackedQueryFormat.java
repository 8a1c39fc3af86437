package io.kipimo.operators.ttl;

import io.kipimo.core.ttl.CachedQuery;
import io.kipimo.core.ttl.ToldTtl;
import io.kipimo.core.ttl.TrackedQuery;
import io.kipimo.operators.types.Format;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** State of {@link QueryTtlFunction}: 77 bytes a query, and 8 a record that is compared. */
public final class TrackedQueryFormat implements Format<TrackedQuery> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<TrackedQuery> type() {
        return TrackedQuery.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(TrackedQuery tracked, DataOutputView out) throws IOException {
        CachedQuery query = tracked.query();
        out.writeDouble(query.meanMillis());
        out.writeBoolean(query.isLearnt());
        out.writeLong(query.firstReadMillis());
        out.writeLong(query.lastReadMillis());
        out.writeDouble(query.lossPerChange());
        out.writeLong(query.invalidations());
        out.writeLong(tracked.changedMillis());
        out.writeInt(tracked.changes());
        writeLongs(tracked.records(), out);
        writeTold(tracked.told(), out);
    }

    @Override
    public TrackedQuery read(DataInputView in, int version) throws IOException {
        return new TrackedQuery(
                new CachedQuery(
                        in.readDouble(),
                        in.readBoolean(),
                        in.readLong(),
                        in.readLong(),
                        in.readDouble(),
                        in.readLong()),
                in.readLong(),
                in.readInt(),
                readLongs(in),
                readTold(in));
    }

    static void writeTold(ToldTtl told, DataOutputView out) throws IOException {
        out.writeLong(told.ttlMillis());
        out.writeLong(told.atMillis());
    }

    static ToldTtl readTold(DataInputView in) throws IOException {
        return new ToldTtl(in.readLong(), in.readLong());
    }

    static void writeLongs(long[] values, DataOutputView out) throws IOException {
        out.writeInt(values.length);
        for (long value : values) {
            out.writeLong(value);
        }
    }

    static long[] readLongs(DataInputView in) throws IOException {
        long[] values = new long[in.readInt()];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.readLong();
        }
        return values;
    }
}
