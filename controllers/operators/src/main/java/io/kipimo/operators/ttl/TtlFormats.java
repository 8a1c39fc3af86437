package io.kipimo.operators.ttl;

import io.kipimo.core.invalidation.ObservedUse;
import io.kipimo.core.invalidation.ObservedUseBuilder;
import io.kipimo.core.invalidation.Representation;
import io.kipimo.core.ttl.CachedQuery;
import io.kipimo.core.ttl.CachingPane;
import io.kipimo.core.ttl.PublishedTtl;
import io.kipimo.core.ttl.PublishedUse;
import io.kipimo.core.ttl.TrackedQuery;
import io.kipimo.core.ttl.TrackedRecord;
import io.kipimo.core.ttl.WriteCount;
import io.kipimo.operators.types.Format;
import io.kipimo.operators.types.FormatCatalogue;
import io.kipimo.schemas.codec.Codecs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Formats of the ttl job. They are written by hand where there is a value for each read, write or cached query. */
public final class TtlFormats implements FormatCatalogue {
    private static final QueryChange.QueryChangeKind[] CHANGES = QueryChange.QueryChangeKind.values();
    private static final RecordEvent.RecordEventKind[] EVENTS = RecordEvent.RecordEventKind.values();

    /** State of {@link QueryTtlFunction}: 184 bytes for a query and 8 for each compared record. */
    static final Format<TrackedQuery> TRACKED_QUERY =
            Format.of("tracked-query", 1, TrackedQuery.class, TtlFormats::write, (in, version) -> readTrackedQuery(in));

    /** State of {@link RecordTtlFunction}: 48 bytes for a record. */
    static final Format<TrackedRecord> TRACKED_RECORD = Format.of(
            "tracked-record", 1, TrackedRecord.class, TtlFormats::write, (in, version) -> readTrackedRecord(in));

    /** State of {@link CachingWindowFunction}. */
    static final Format<CachingPane> CACHING_PANE = Format.of(
            "caching-pane",
            1,
            CachingPane.class,
            CachingPane::write,
            (in, version) -> CachingPane.read(in),
            CachingPane::copy);

    static final Format<TablePane> TABLE_PANE = Format.of(
            "table-pane",
            1,
            TablePane.class,
            TtlFormats::write,
            (in, version) -> new TablePane(in.readUTF(), in.readUTF(), in.readLong(), CachingPane.read(in)),
            pane -> new TablePane(
                    pane.service(),
                    pane.table(),
                    pane.startMillis(),
                    pane.pane().copy()));

    static final Format<QueryChange> QUERY_CHANGE =
            Format.of("query-change", 1, QueryChange.class, TtlFormats::write, (in, version) -> readQueryChange(in));

    static final Format<RecordEvent> RECORD_EVENT =
            Format.of("record-event", 1, RecordEvent.class, TtlFormats::write, (in, version) -> readRecordEvent(in));

    static final Format<TtlUpdate> TTL_UPDATE =
            Format.of("ttl-update", 1, TtlUpdate.class, TtlFormats::write, (in, version) -> readTtlUpdate(in));

    @Override
    public List<Format<?>> formats() {
        return List.of(TRACKED_QUERY, TRACKED_RECORD, CACHING_PANE, TABLE_PANE, QUERY_CHANGE, RECORD_EVENT, TTL_UPDATE);
    }

    private static void write(QueryChange change, DataOutputView out) throws IOException {
        out.writeByte(change.kind().ordinal());
        out.writeUTF(change.service());
        out.writeUTF(change.table());
        out.writeUTF(change.query());
        out.writeLong(change.atMillis());
        out.writeInt(change.shard());
        out.writeDouble(change.writesPerSecond());
        writeLongs(change.records(), out);
        out.writeLong(change.ttlMillis());
        out.writeInt(change.size());
        out.writeBoolean(change.changesIds());
    }

    private static QueryChange readQueryChange(DataInputView in) throws IOException {
        return QueryChangeBuilder.builder()
                .kind(CHANGES[in.readByte()])
                .service(in.readUTF())
                .table(in.readUTF())
                .query(in.readUTF())
                .atMillis(in.readLong())
                .shard(in.readInt())
                .writesPerSecond(in.readDouble())
                .records(readLongs(in))
                .ttlMillis(in.readLong())
                .size(in.readInt())
                .changesIds(in.readBoolean())
                .build();
    }

    private static void write(RecordEvent event, DataOutputView out) throws IOException {
        out.writeByte(event.kind().ordinal());
        out.writeUTF(event.service());
        out.writeUTF(event.table());
        out.writeLong(event.atMillis());
        out.writeUTF(event.query());
        out.writeInt(event.records().size());
        for (String record : event.records()) {
            out.writeUTF(record);
        }
    }

    private static RecordEvent readRecordEvent(DataInputView in) throws IOException {
        RecordEvent.RecordEventKind kind = EVENTS[in.readByte()];
        String service = in.readUTF();
        String table = in.readUTF();
        long atMillis = in.readLong();
        String query = in.readUTF();
        int count = in.readInt();
        List<String> records = new ArrayList<>(count);
        for (; count > 0; count--) {
            records.add(in.readUTF());
        }
        return new RecordEvent(kind, service, table, atMillis, query, records);
    }

    private static void write(TablePane pane, DataOutputView out) throws IOException {
        out.writeUTF(pane.service());
        out.writeUTF(pane.table());
        out.writeLong(pane.startMillis());
        pane.pane().write(out);
    }

    private static void write(TrackedQuery tracked, DataOutputView out) throws IOException {
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

    private static TrackedQuery readTrackedQuery(DataInputView in) throws IOException {
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
                in.readBoolean() ? readUse(in) : null,
                new PublishedUse(form(in.readByte()), in.readDouble()));
    }

    private static void write(TrackedRecord record, DataOutputView out) throws IOException {
        out.writeLong(record.writes().pane());
        out.writeLong(record.writes().current());
        out.writeLong(record.writes().previous());
        out.writeLong(record.lastReadMillis());
        writePublished(record.published(), out);
    }

    private static TrackedRecord readTrackedRecord(DataInputView in) throws IOException {
        return new TrackedRecord(
                new WriteCount(in.readLong(), in.readLong(), in.readLong()), in.readLong(), readPublished(in));
    }

    private static void write(TtlUpdate news, DataOutputView out) throws IOException {
        Format.writeMessage(Codecs.TTL_ESTIMATE, news.estimate(), out);
        out.writeBoolean(news.isForgotten());
    }

    private static TtlUpdate readTtlUpdate(DataInputView in) throws IOException {
        return new TtlUpdate(Format.readMessage(Codecs.TTL_ESTIMATE, in), in.readBoolean());
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

    /** Returns the number that stands for a form in state; 0: none. */
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

    private static void writePublished(PublishedTtl published, DataOutputView out) throws IOException {
        out.writeLong(published.ttlMillis());
        out.writeLong(published.atMillis());
    }

    private static PublishedTtl readPublished(DataInputView in) throws IOException {
        return new PublishedTtl(in.readLong(), in.readLong());
    }

    private static void writeLongs(long[] values, DataOutputView out) throws IOException {
        out.writeInt(values.length);
        for (long value : values) {
            out.writeLong(value);
        }
    }

    private static long[] readLongs(DataInputView in) throws IOException {
        long[] values = new long[in.readInt()];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.readLong();
        }
        return values;
    }
}
