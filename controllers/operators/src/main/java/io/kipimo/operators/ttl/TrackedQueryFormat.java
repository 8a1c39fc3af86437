package io.kipimo.operators.ttl;

import io.kipimo.core.invalidation.Representation;
import io.kipimo.core.invalidation.capacity.ObservedUse;
import io.kipimo.core.invalidation.capacity.ObservedUseBuilder;
import io.kipimo.core.ttl.CachedQuery;
import io.kipimo.core.ttl.PublishedTtl;
import io.kipimo.core.ttl.PublishedUse;
import io.kipimo.core.ttl.TrackedQuery;
import io.kipimo.operators.types.Format;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** State of {@link QueryTtlFunction}: 184 bytes for a query and 8 for each compared record. */
public final class TrackedQueryFormat implements Format<TrackedQuery> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<TrackedQuery> type() {
        return TrackedQuery.class;
    }

    @Override
    public int version() {
        return 2;
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
        writePublished(tracked.published(), out);
        out.writeBoolean(tracked.use() != null);
        if (tracked.use() != null) {
            writeUse(tracked.use(), out);
        }
        out.writeByte(number(tracked.publishedUse().form()));
        out.writeDouble(tracked.publishedUse().hitsSavedPerSecond());
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
                readPublished(in),
                version > 1 && in.readBoolean() ? readUse(in) : null,
                version == 1
                        ? PublishedUse.NOTHING
                        : new PublishedUse(form(in.readByte()), in.readDouble()));
    }

    private static void writeUse(ObservedUse use, DataOutputView out) throws IOException {
        out.writeDouble(use.reads());
        out.writeDouble(use.seconds());
        out.writeDouble(use.exposedReads());
        out.writeDouble(use.exposedSeconds());
        out.writeDouble(use.membershipChanges());
        out.writeDouble(use.contentChanges());
        out.writeDouble(use.recordWrites());
        out.writeDouble(use.records());
        out.writeLong(use.coveredUntilMillis());
        out.writeLong(use.atMillis());
        out.writeLong(use.chosenAtMillis());
        out.writeByte(number(use.form()));
        out.writeBoolean(use.isChosen());
    }

    private static ObservedUse readUse(DataInputView in) throws IOException {
        return ObservedUseBuilder.builder()
                .reads(in.readDouble())
                .seconds(in.readDouble())
                .exposedReads(in.readDouble())
                .exposedSeconds(in.readDouble())
                .membershipChanges(in.readDouble())
                .contentChanges(in.readDouble())
                .recordWrites(in.readDouble())
                .records(in.readDouble())
                .coveredUntilMillis(in.readLong())
                .atMillis(in.readLong())
                .chosenAtMillis(in.readLong())
                .form(form(in.readByte()))
                .isChosen(in.readBoolean())
                .build();
    }

    /** Number of a form in state; 0: none. */
    private static int number(Representation form) {
        return form == null ? 0 : form == Representation.ID_LIST ? 1 : 2;
    }

    private static Representation form(int number) throws IOException {
        return switch (number) {
            case 0 -> null;
            case 1 -> Representation.ID_LIST;
            case 2 -> Representation.OBJECT_LIST;
            default -> throw new IOException("the form of a result has number " + number);
        };
    }

    static void writePublished(PublishedTtl published, DataOutputView out) throws IOException {
        out.writeLong(published.ttlMillis());
        out.writeLong(published.atMillis());
    }

    static PublishedTtl readPublished(DataInputView in) throws IOException {
        return new PublishedTtl(in.readLong(), in.readLong());
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
