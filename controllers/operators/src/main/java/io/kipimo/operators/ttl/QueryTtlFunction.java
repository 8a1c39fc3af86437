package io.kipimo.operators.ttl;

import io.kipimo.core.invalidation.Representation;
import io.kipimo.core.ttl.CachedQuery;
import io.kipimo.core.ttl.PublishedTtl;
import io.kipimo.core.ttl.PublishedUse;
import io.kipimo.core.ttl.TrackedQuery;
import io.kipimo.core.ttl.TtlTracking;
import io.kipimo.operators.ttl.TtlMetrics.QueryCount;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.ResultRepresentation;
import io.kipimo.schemas.caching.TtlEstimate;
import io.kipimo.schemas.caching.TtlEstimateBuilder;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.util.Collector;

/** Estimates the times to live of the queries of a shard ({@link TtlTracking}). */
final class QueryTtlFunction extends ShardFunction<QueryChange, TrackedQuery, QueryCount> {
    /** Greatest mean time in an estimate, milliseconds. A longer mean is published as absent, which means never. */
    private static final double GREATEST_MEAN_MILLIS = 1e18;

    /** A read that requested rates. */
    private record RateRequest(String query, long atMillis) {}

    QueryTtlFunction(TtlFlowSettings settings) {
        super(
                TtlFormats.QUERY_CHANGE.typeInfo(),
                stateDescriptor(),
                new ShardCounting<>(
                        QueryCount.values(), "query-counts", QueryCount.LATE_EVENTS, QueryCount.FORGOTTEN_QUERIES),
                settings);
    }

    static MapStateDescriptor<String, TrackedQuery> stateDescriptor() {
        return new MapStateDescriptor<>("queries", Types.STRING, TtlFormats.TRACKED_QUERY.typeInfo());
    }

    @Override
    void advance(List<QueryChange> events, OnTimerContext ctx, Collector<TtlUpdate> out) throws Exception {
        // By shard, so that a repeated read counts its rates once, and sums have a fixed order.
        Map<RateRequest, TreeMap<Integer, Double>> rates = new HashMap<>();
        Map<String, QueryChange> touched = new LinkedHashMap<>();
        for (QueryChange event : events) {
            switch (event.kind()) {
                case RATES ->
                    rates.computeIfAbsent(new RateRequest(event.query(), event.atMillis()), q -> new TreeMap<>())
                            .put(event.shard(), event.writesPerSecond());
                case READ -> {
                    counts.increment(QueryCount.QUERY_READS);
                    if (read(event, rates.get(new RateRequest(event.query(), event.atMillis())))) {
                        touched.put(event.query(), event);
                    }
                }
                case CHANGED -> {
                    counts.increment(QueryCount.CHANGES);
                    TrackedQuery before = known.get(event.query());
                    TrackedQuery after = tracking.usedUntil(
                            tracking.changed(before, event.atMillis()), event.changesIds(), event.atMillis());
                    if (!Objects.equals(after, before)) {
                        known.put(event.query(), after);
                        touched.put(event.query(), event);
                    }
                }
            }
        }
        for (QueryChange last : touched.values()) {
            publish(last, out);
        }
    }

    private boolean read(QueryChange read, Map<Integer, Double> rates) throws Exception {
        int answered = rates == null ? 0 : rates.size();
        OptionalDouble perSecond = OptionalDouble.empty();
        // The rates of a late read may arrive with a later second.
        if (answered >= read.shard()) {
            double sum = 0;
            if (rates != null) {
                for (double rate : rates.values()) {
                    sum += rate;
                }
            }
            perSecond = OptionalDouble.of(sum);
        } else {
            counts.increment(QueryCount.READS_WITHOUT_RATES);
        }
        TrackedQuery before = known.get(read.query());
        TrackedQuery after = tracking.read(before, perSecond, read.records(), read.atMillis());
        if (after == null) {
            return false;
        }
        known.put(read.query(), tracking.used(after, read.ttlMillis(), read.size(), perSecond, read.atMillis()));
        return true;
    }

    private void publish(QueryChange last, Collector<TtlUpdate> out) throws Exception {
        TrackedQuery query = known.get(last.query());
        long now = last.atMillis();
        long ttl = tracking.queryMillis(query);
        PublishedUse use = tracking.use(query);
        if (tracking.isWorthPublishing(query.published(), ttl, now)
                || tracking.isWorthPublishing(query.publishedUse(), use)) {
            counts.increment(QueryCount.QUERY_ESTIMATES);
            known.put(last.query(), query.published(new PublishedTtl(ttl, now), use));
            out.collect(
                    new TtlUpdate(estimate(last.service(), last.table(), last.query(), query, ttl, use, now), false));
        }
    }

    private static TtlEstimate estimate(
            String service, String table, String key, TrackedQuery tracked, long ttl, PublishedUse use, long now) {
        CachedQuery query = tracked.query();
        return TtlEstimateBuilder.builder()
                .service(service)
                .table(table)
                .key(key)
                .kind(CachedKind.QUERY)
                .ttlMillis(ttl)
                .meanMillis(
                        query.meanMillis() <= GREATEST_MEAN_MILLIS ? Optional.of(query.meanMillis()) : Optional.empty())
                .isLearnt(query.isLearnt())
                .lossPerChange(query.lossPerChange())
                .invalidations(query.invalidations())
                .estimatedMillis(now)
                .representation(representation(use.form()))
                .hitsSavedPerSecond(Math.min(GREATEST_MEAN_MILLIS, use.hitsSavedPerSecond()))
                .build();
    }

    private static ResultRepresentation representation(Representation form) {
        if (form == null) {
            return ResultRepresentation.ANY;
        }
        return form == Representation.ID_LIST ? ResultRepresentation.ID_LIST : ResultRepresentation.OBJECT_LIST;
    }

    @Override
    boolean isForgotten(TrackedQuery query, long nowMillis) {
        return tracking.isForgotten(query, nowMillis);
    }

    @Override
    Optional<TtlEstimate> last(String service, String table, String key, TrackedQuery query, long nowMillis) {
        long ttl = Math.max(0, query.published().ttlMillis());
        return Optional.of(estimate(service, table, key, query, ttl, tracking.use(query), nowMillis));
    }
}
