package io.kipimo.operators.ttl;

import io.kipimo.operators.ttl.CachingPanesOperator.PaneReader;
import io.kipimo.operators.types.Format;
import io.kipimo.schemas.caching.CacheRead;
import io.kipimo.schemas.caching.CacheUse;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.CachingWindow;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.RecordWrite;
import io.kipimo.schemas.caching.ResultChange;
import io.kipimo.schemas.codec.Codecs;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * Turns reads, writes and invalidations into times to live, and into windows of each table.
 *
 * <pre>
 * writes ───────────────> records ──┬───────────────────────> news
 * reads ──> split ──────/    │rates │
 *             └────────────> queries┘
 * invalidations ───────────/
 * all ──> panes ──> tables ─────────────────────────────────> windows
 * </pre>
 *
 * <p>A query's first time to live is computed from the write rates of its records. Flink distributes records and
 * queries over the {@link TtlShards} of their table. A read of a query asks the shards of its records. Each of these
 * sends the sum of its records' rates at the time of the read to the query's shard. So no subtask handles all writes or
 * queries of a table. The work for writes grows with the number of writes. The work for rates grows with the number of
 * records in results from the origin, which is small because of the caches. Alternatives scale worse. Keying by table
 * puts a busy table on one core. Broadcasting the rates puts every record into every subtask. Pushing the rates of
 * records to their queries costs a message for each query and write, mostly for queries that need no rates any more
 * since their estimate comes from invalidations.
 *
 * @param news times to live that are new or differ from the published ones
 * @param windows windows of tables; they lack the figures of the filter of stale keys
 */
public record TtlFlow(DataStream<TtlUpdate> news, DataStream<CachingWindow> windows) {
    static final PaneReader<CacheUse> USES = new PaneReader<>(
            CacheUse::service, CacheUse::table, CacheUse::secondMillis, (pane, use) -> pane.used(use.counts()));

    /** Builds the flow. */
    public static TtlFlow of(
            DataStream<CacheRead> reads,
            DataStream<RecordWrite> writes,
            DataStream<Invalidation> invalidations,
            DataStream<CacheUse> uses,
            TtlFlowSettings settings) {
        SingleOutputStreamOperator<RecordEvent> split = reads.process(
                        new ReadSplitFunction(settings.comparedRecords()), TtlFormats.RECORD_EVENT.typeInfo())
                .uid("ttl-reads")
                .name("ttl-reads");
        SingleOutputStreamOperator<TtlUpdate> records = records(split, writes, settings);
        SingleOutputStreamOperator<TtlUpdate> queries = queries(
                split.getSideOutput(ReadSplitFunction.QUERIES),
                records.getSideOutput(RecordTtlFunction.RATES),
                invalidations,
                settings);
        return new TtlFlow(
                records.union(queries), windows(reads, writes, invalidations, uses, settings.windowMillis()));
    }

    private static SingleOutputStreamOperator<TtlUpdate> records(
            DataStream<RecordEvent> reads, DataStream<RecordWrite> writes, TtlFlowSettings settings) {
        DataStream<RecordEvent> written = writes.map(TtlFlow::written, TtlFormats.RECORD_EVENT.typeInfo())
                .uid("ttl-writes")
                .name("ttl-writes");
        return reads.union(written)
                .keyBy(RecordEvent::scope, Types.STRING)
                .process(new RecordTtlFunction(settings), TtlFormats.TTL_UPDATE.typeInfo())
                .uid("record-ttls")
                .name("record-ttls");
    }

    private static SingleOutputStreamOperator<TtlUpdate> queries(
            DataStream<QueryChange> reads,
            DataStream<QueryChange> rates,
            DataStream<Invalidation> invalidations,
            TtlFlowSettings settings) {
        DataStream<QueryChange> changed = invalidations
                // A refusal is not a change of the result.
                .filter(invalidation ->
                        invalidation.kind() == CachedKind.QUERY && invalidation.change() != ResultChange.REFUSED)
                .uid("ttl-query-invalidations")
                .name("ttl-query-invalidations")
                .map(TtlFlow::changed, TtlFormats.QUERY_CHANGE.typeInfo())
                .uid("ttl-invalidations")
                .name("ttl-invalidations");
        return reads.union(rates, changed)
                .keyBy(QueryChange::scope, Types.STRING)
                .process(new QueryTtlFunction(settings), TtlFormats.TTL_UPDATE.typeInfo())
                .uid("query-ttls")
                .name("query-ttls");
    }

    private static RecordEvent written(RecordWrite write) {
        return new RecordEvent(
                RecordEvent.RecordEventKind.WRITTEN,
                write.service(),
                write.table(),
                write.writtenMillis(),
                "",
                List.of(write.record()));
    }

    private static QueryChange changed(Invalidation invalidation) {
        return QueryChange.changed(
                invalidation.service(),
                invalidation.table(),
                invalidation.key(),
                invalidation.writtenMillis(),
                invalidation.change() != ResultChange.CHANGED);
    }

    private static DataStream<CachingWindow> windows(
            DataStream<CacheRead> reads,
            DataStream<RecordWrite> writes,
            DataStream<Invalidation> invalidations,
            DataStream<CacheUse> uses,
            long windowMillis) {
        return panes(
                        reads,
                        new PaneReader<>(
                                CacheRead::service,
                                CacheRead::table,
                                CacheRead::readMillis,
                                (pane, read) -> pane.read(read.ttlMillis())),
                        windowMillis,
                        "caching-reads")
                .union(
                        panes(
                                writes,
                                new PaneReader<>(
                                        RecordWrite::service,
                                        RecordWrite::table,
                                        RecordWrite::writtenMillis,
                                        (pane, write) -> pane.wrote()),
                                windowMillis,
                                "caching-writes"),
                        panes(
                                invalidations,
                                new PaneReader<>(
                                        Invalidation::service,
                                        Invalidation::table,
                                        Invalidation::writtenMillis,
                                        (pane, invalidation) -> pane.invalidated(invalidation.key())),
                                windowMillis,
                                "caching-invalidations"),
                        panes(uses, USES, windowMillis, "caching-uses"))
                .keyBy(TablePane::scope, Types.STRING)
                .process(new CachingWindowFunction(windowMillis), Format.typeOf(Codecs.CACHING_WINDOW))
                .uid("caching-windows")
                .name("caching-windows");
    }

    private static <T> DataStream<TablePane> panes(
            DataStream<T> events, PaneReader<T> reader, long windowMillis, String uid) {
        return events.transform(uid, TtlFormats.TABLE_PANE.typeInfo(), new CachingPanesOperator<>(reader, windowMillis))
                .uid(uid)
                .name(uid);
    }
}
