package io.kipimo.operators.ttl;

import io.kipimo.core.ttl.PublishedTtl;
import io.kipimo.core.ttl.TrackedRecord;
import io.kipimo.operators.ttl.TtlMetrics.RecordCount;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.ResultRepresentation;
import io.kipimo.schemas.caching.TtlEstimate;
import io.kipimo.schemas.caching.TtlEstimateBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Estimates the write rates of the records of a shard. It emits times to live of records that are read, and a side
 * output of rates that queries request.
 */
final class RecordTtlFunction extends ShardFunction<RecordEvent, TrackedRecord, RecordCount> {
    /** Side output of rates that queries requested. */
    static final OutputTag<QueryChange> RATES = new OutputTag<>("rates", TtlFormats.QUERY_CHANGE.typeInfo());

    /** Time since which the shard is observed, epoch milliseconds; earlier writes are unknown. */
    private transient ValueState<Long> startedAt;

    RecordTtlFunction(TtlFlowSettings settings) {
        super(
                TtlFormats.RECORD_EVENT.typeInfo(),
                stateDescriptor(),
                new ShardCounting<>(
                        RecordCount.values(), "record-counts", RecordCount.LATE_EVENTS, RecordCount.FORGOTTEN_RECORDS),
                settings);
    }

    static MapStateDescriptor<String, TrackedRecord> stateDescriptor() {
        return new MapStateDescriptor<>("records", Types.STRING, TtlFormats.TRACKED_RECORD.typeInfo());
    }

    @Override
    public void open(OpenContext context) throws Exception {
        super.open(context);
        startedAt = getRuntimeContext().getState(new ValueStateDescriptor<>("started-at", Types.LONG));
    }

    @Override
    void advance(List<RecordEvent> events, OnTimerContext ctx, Collector<TtlUpdate> out) throws Exception {
        Long stored = startedAt.value();
        long started = stored == null ? events.get(0).atMillis() : stored;
        if (stored == null) {
            startedAt.update(started);
        }
        Map<String, RecordEvent> touched = new LinkedHashMap<>();
        for (RecordEvent event : events) {
            switch (event.kind()) {
                case WRITTEN -> {
                    counts.increment(RecordCount.WRITES);
                    String key = event.records().get(0);
                    known.put(key, tracking.wrote(tracked(key), event.atMillis()));
                    touched.put(key, event);
                }
                case READ -> {
                    counts.increment(RecordCount.RECORD_READS);
                    String key = event.records().get(0);
                    known.put(key, tracking.read(tracked(key), event.atMillis()));
                    touched.put(key, event);
                }
                case ASKED -> {
                    counts.increment(RecordCount.RATE_QUESTIONS);
                    double sum = 0;
                    for (String key : event.records()) {
                        TrackedRecord record = known.get(key);
                        sum += record == null ? 0 : tracking.writesPerSecond(record, event.atMillis(), started);
                    }
                    ctx.output(RATES, QueryChange.rates(event, sum));
                }
            }
        }
        for (Map.Entry<String, RecordEvent> last : touched.entrySet()) {
            publish(last.getKey(), last.getValue(), started, out);
        }
    }

    private TrackedRecord tracked(String key) throws Exception {
        TrackedRecord record = known.get(key);
        return record == null ? TrackedRecord.NEW : record;
    }

    private void publish(String key, RecordEvent last, long started, Collector<TtlUpdate> out) throws Exception {
        TrackedRecord record = known.get(key);
        long now = last.atMillis();
        if (!tracking.isRead(record, now)) {
            return;
        }
        double rate = tracking.writesPerSecond(record, now, started);
        long ttl = tracking.recordMillis(rate);
        if (tracking.isWorthPublishing(record.published(), ttl, now)) {
            counts.increment(RecordCount.RECORD_ESTIMATES);
            known.put(key, new TrackedRecord(record.writes(), record.lastReadMillis(), new PublishedTtl(ttl, now)));
            out.collect(new TtlUpdate(estimate(last.service(), last.table(), key, ttl, rate, now), false));
        }
    }

    private static TtlEstimate estimate(String service, String table, String key, long ttl, double rate, long now) {
        return TtlEstimateBuilder.builder()
                .service(service)
                .table(table)
                .key(key)
                .kind(CachedKind.RECORD)
                .ttlMillis(ttl)
                .meanMillis(rate > 0 ? Optional.of(1000 / rate) : Optional.empty())
                .lossPerChange(1)
                .estimatedMillis(now)
                .representation(ResultRepresentation.ANY)
                .build();
    }

    @Override
    boolean isForgotten(TrackedRecord record, long nowMillis) {
        return tracking.isForgotten(record, nowMillis);
    }

    @Override
    Optional<TtlEstimate> last(String service, String table, String key, TrackedRecord record, long nowMillis) {
        return record.published().isSomething()
                ? Optional.of(estimate(service, table, key, record.published().ttlMillis(), 0, nowMillis))
                : Optional.empty();
    }

    @Override
    void clear() {
        known.clear();
        startedAt.clear();
    }
}
