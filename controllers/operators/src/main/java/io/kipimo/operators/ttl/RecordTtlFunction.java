package io.kipimo.operators.ttl;

import static io.kipimo.operators.ttl.TtlMetrics.RecordCount.ESTIMATES;
import static io.kipimo.operators.ttl.TtlMetrics.RecordCount.FORGOTTEN;
import static io.kipimo.operators.ttl.TtlMetrics.RecordCount.LATE_EVENTS;
import static io.kipimo.operators.ttl.TtlMetrics.RecordCount.QUESTIONS;
import static io.kipimo.operators.ttl.TtlMetrics.RecordCount.READS;
import static io.kipimo.operators.ttl.TtlMetrics.RecordCount.WRITES;

import io.kipimo.core.ttl.PublishedTtl;
import io.kipimo.core.ttl.TrackedRecord;
import io.kipimo.core.ttl.TtlTracking;
import io.kipimo.operators.metrics.ConservedCounters;
import io.kipimo.operators.ttl.TtlMetrics.RecordCount;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.ResultRepresentation;
import io.kipimo.schemas.caching.TtlEstimate;
import io.kipimo.schemas.caching.TtlEstimateBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Estimates write rates of the records of a shard. It emits times to live of records that are read, and rates that
 * queries request.
 */
final class RecordTtlFunction extends ShardFunction<RecordEvent> implements CheckpointedFunction {
    private static final long serialVersionUID = 1L;

    /** Requested rates. */
    static final OutputTag<QueryChange> RATES = new OutputTag<>("rates", TtlFormats.QUERY_CHANGE.typeInfo());

    private final TtlFlowSettings settings;
    private transient TtlTracking tracking;
    private transient MapState<String, TrackedRecord> records;

    /** Start of the shard's observation; writes before it are unknown. */
    private transient ValueState<Long> startedAt;

    private transient ConservedCounters<RecordCount> counts;

    RecordTtlFunction(TtlFlowSettings settings) {
        super(TtlFormats.RECORD_EVENT.typeInfo(), settings);
        this.settings = settings;
    }

    static MapStateDescriptor<String, TrackedRecord> stateDescriptor() {
        return new MapStateDescriptor<>("records", Types.STRING, TtlFormats.TRACKED_RECORD.typeInfo());
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        counts = new ConservedCounters<>(RecordCount.values());
        counts.initialize(context, "record-counts");
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        counts.snapshot();
    }

    @Override
    public void open(OpenContext context) throws Exception {
        super.open(context);
        tracking = settings.tracking();
        records = getRuntimeContext().getMapState(stateDescriptor());
        startedAt = getRuntimeContext().getState(new ValueStateDescriptor<>("started-at", Types.LONG));
        counts.register(getRuntimeContext().getMetricGroup().addGroup(TtlMetrics.GROUP), RecordCount::metricName);
    }

    @Override
    long atMillis(RecordEvent event) {
        return event.atMillis();
    }

    @Override
    int order(RecordEvent event) {
        return event.kind().ordinal();
    }

    @Override
    void late() {
        counts.increment(LATE_EVENTS);
    }

    @Override
    void advance(List<RecordEvent> events, OnTimerContext ctx, Collector<TtlUpdate> out) throws Exception {
        Long known = startedAt.value();
        long started = known == null ? events.get(0).atMillis() : known;
        if (known == null) {
            startedAt.update(started);
        }
        Map<String, RecordEvent> touched = new LinkedHashMap<>();
        for (RecordEvent event : events) {
            switch (event.kind()) {
                case WRITTEN -> {
                    counts.increment(WRITES);
                    String key = event.records().get(0);
                    records.put(key, tracking.wrote(tracked(key), event.atMillis()));
                    touched.put(key, event);
                }
                case READ -> {
                    counts.increment(READS);
                    String key = event.records().get(0);
                    records.put(key, tracking.read(tracked(key), event.atMillis()));
                    touched.put(key, event);
                }
                case ASKED -> {
                    counts.increment(QUESTIONS);
                    double sum = 0;
                    for (String key : event.records()) {
                        TrackedRecord record = records.get(key);
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
        TrackedRecord record = records.get(key);
        return record == null ? TrackedRecord.NEW : record;
    }

    private void publish(String key, RecordEvent last, long started, Collector<TtlUpdate> out) throws Exception {
        TrackedRecord record = records.get(key);
        long now = last.atMillis();
        if (!tracking.isRead(record, now)) {
            return;
        }
        double rate = tracking.writesPerSecond(record, now, started);
        long ttl = tracking.recordMillis(rate);
        if (tracking.isWorthPublishing(record.published(), ttl, now)) {
            counts.increment(ESTIMATES);
            records.put(key, new TrackedRecord(record.writes(), record.lastReadMillis(), new PublishedTtl(ttl, now)));
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
    boolean sweep(long nowMillis, OnTimerContext ctx, Collector<TtlUpdate> out) throws Exception {
        String[] scope = ctx.getCurrentKey().split("/", -1);
        List<String> forgotten = new ArrayList<>();
        boolean isSomethingLeft = false;
        for (Map.Entry<String, TrackedRecord> entry : records.entries()) {
            TrackedRecord record = entry.getValue();
            if (tracking.isForgotten(record, nowMillis)) {
                forgotten.add(entry.getKey());
                if (record.published().isSomething()) {
                    counts.increment(FORGOTTEN);
                    out.collect(new TtlUpdate(
                            estimate(
                                    scope[0],
                                    scope[1],
                                    entry.getKey(),
                                    record.published().ttlMillis(),
                                    0,
                                    nowMillis),
                            true));
                }
            } else {
                isSomethingLeft = true;
            }
        }
        for (String key : forgotten) {
            records.remove(key);
        }
        if (!isSomethingLeft) {
            records.clear();
            startedAt.clear();
        }
        return isSomethingLeft;
    }
}
