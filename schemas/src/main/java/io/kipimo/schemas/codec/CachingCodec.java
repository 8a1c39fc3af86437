package io.kipimo.schemas.codec;

import static io.kipimo.schemas.deadletter.RejectionReason.IMPOSSIBLE_TEXT;
import static io.kipimo.schemas.deadletter.RejectionReason.MISSING_FIELD;

import io.kipimo.schemas.caching.CacheCounts;
import io.kipimo.schemas.caching.CacheRead;
import io.kipimo.schemas.caching.CacheUse;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.CachingWindow;
import io.kipimo.schemas.caching.CachingWindowBuilder;
import io.kipimo.schemas.caching.FilterFill;
import io.kipimo.schemas.caching.InvalidatedKey;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.InvalidationBuilder;
import io.kipimo.schemas.caching.InvalidationMode;
import io.kipimo.schemas.caching.RecordWrite;
import io.kipimo.schemas.caching.ResultChange;
import io.kipimo.schemas.caching.ResultRecord;
import io.kipimo.schemas.caching.ResultRepresentation;
import io.kipimo.schemas.caching.Subscription;
import io.kipimo.schemas.caching.SubscriptionBuilder;
import io.kipimo.schemas.caching.TtlEstimate;
import io.kipimo.schemas.caching.TtlEstimateBuilder;
import io.kipimo.schemas.caching.TtlQuantiles;
import io.kipimo.schemas.caching.WriteKind;
import io.kipimo.schemas.wire.CacheCountsProto;
import io.kipimo.schemas.wire.CacheReadProto;
import io.kipimo.schemas.wire.CacheUseProto;
import io.kipimo.schemas.wire.CachedKindProto;
import io.kipimo.schemas.wire.CachingWindowProto;
import io.kipimo.schemas.wire.FilterFillProto;
import io.kipimo.schemas.wire.InvalidatedKeyProto;
import io.kipimo.schemas.wire.InvalidationModeProto;
import io.kipimo.schemas.wire.InvalidationProto;
import io.kipimo.schemas.wire.RecordWriteProto;
import io.kipimo.schemas.wire.RepresentationProto;
import io.kipimo.schemas.wire.ResultChangeProto;
import io.kipimo.schemas.wire.ResultRecordProto;
import io.kipimo.schemas.wire.SubscriptionProto;
import io.kipimo.schemas.wire.TtlEstimateProto;
import io.kipimo.schemas.wire.TtlQuantilesProto;
import io.kipimo.schemas.wire.WriteKindProto;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Cached answers on the wire. */
final class CachingCodec {
    /** Upper bound of computed figures. */
    private static final double GREATEST = 1e18;

    private static final CachedKind[] KINDS = CachedKind.values();
    private static final WriteKind[] WRITES = WriteKind.values();
    private static final ResultRepresentation[] REPRESENTATIONS = ResultRepresentation.values();
    private static final ResultChange[] CHANGES = ResultChange.values();
    private static final InvalidationMode[] MODES = InvalidationMode.values();

    private CachingCodec() {}

    static CacheReadProto toWire(CacheRead read) {
        return CacheReadProto.newBuilder()
                .setService(read.service())
                .setTable(read.table())
                .setKey(read.key())
                .setKind(CachedKindProto.forNumber(read.kind().ordinal() + 1))
                .setReadMillis(read.readMillis())
                .setTtlMillis(read.ttlMillis())
                .addAllRecordKeys(read.recordKeys())
                .build();
    }

    static CacheRead fromWire(CacheReadProto wire) throws InvalidRecordException {
        CachedKind kind = Checks.constant("kind", wire.getKindValue(), KINDS);
        Checks.parts("record_keys", wire.getRecordKeysCount());
        if (kind == CachedKind.RECORD && wire.getRecordKeysCount() > 0) {
            throw Checks.inconsistent(
                    "record_keys has "
                            + wire.getRecordKeysCount()
                            + " parts in a read of a record; allowed: 0");
        }
        List<String> records = new ArrayList<>(wire.getRecordKeysCount());
        for (String record : wire.getRecordKeysList()) {
            records.add(key("record_keys", record));
        }
        return new CacheRead(
                Checks.name("service", wire.getService()),
                Checks.name("table", wire.getTable()),
                key("key", wire.getKey()),
                kind,
                Checks.millis("read_millis", wire.getReadMillis()),
                ttl(wire.getTtlMillis()),
                List.copyOf(records));
    }

    static TtlEstimateProto toWire(TtlEstimate estimate) {
        TtlEstimateProto.Builder wire =
                TtlEstimateProto.newBuilder()
                        .setService(estimate.service())
                        .setTable(estimate.table())
                        .setKey(estimate.key())
                        .setKind(CachedKindProto.forNumber(estimate.kind().ordinal() + 1))
                        .setTtlMillis(estimate.ttlMillis())
                        .setIsLearnt(estimate.isLearnt())
                        .setLossPerChange(estimate.lossPerChange())
                        .setInvalidations(estimate.invalidations())
                        .setEstimatedMillis(estimate.estimatedMillis());
        estimate.meanMillis().ifPresent(wire::setMeanMillis);
        // ANY is left unset: writers of older versions, which do not know the field, leave it
        // unset, too.
        if (estimate.representation() != ResultRepresentation.ANY) {
            wire.setRepresentation(
                    RepresentationProto.forNumber(estimate.representation().ordinal() + 1));
        }
        wire.setHitsSavedPerSecond(estimate.hitsSavedPerSecond());
        return wire.build();
    }

    static TtlEstimate fromWire(TtlEstimateProto wire) throws InvalidRecordException {
        return TtlEstimateBuilder.builder()
                .service(Checks.name("service", wire.getService()))
                .table(Checks.name("table", wire.getTable()))
                .key(key("key", wire.getKey()))
                .kind(Checks.constant("kind", wire.getKindValue(), KINDS))
                .ttlMillis(ttl(wire.getTtlMillis()))
                .meanMillis(
                        wire.hasMeanMillis()
                                ? Optional.of(
                                        Checks.within(
                                                "mean_millis", wire.getMeanMillis(), 0, GREATEST))
                                : Optional.empty())
                .isLearnt(wire.getIsLearnt())
                .lossPerChange(Checks.fraction("loss_per_change", wire.getLossPerChange()))
                .invalidations(Checks.count("invalidations", wire.getInvalidations()))
                .estimatedMillis(Checks.millis("estimated_millis", wire.getEstimatedMillis()))
                .representation(
                        wire.hasRepresentation()
                                ? Checks.constant(
                                        "representation",
                                        wire.getRepresentationValue(),
                                        REPRESENTATIONS)
                                : ResultRepresentation.ANY)
                .hitsSavedPerSecond(
                        Checks.within(
                                "hits_saved_per_second", wire.getHitsSavedPerSecond(), 0, GREATEST))
                .build();
    }

    static RecordWriteProto toWire(RecordWrite write) {
        return RecordWriteProto.newBuilder()
                .setService(write.service())
                .setTable(write.table())
                .setRecord(write.record())
                .setKind(WriteKindProto.forNumber(write.kind().ordinal() + 1))
                .setVersion(write.version())
                .setWrittenMillis(write.writtenMillis())
                .setDocument(write.document())
                .build();
    }

    static RecordWrite fromWire(RecordWriteProto wire) throws InvalidRecordException {
        WriteKind kind = Checks.constant("kind", wire.getKindValue(), WRITES);
        if (kind == WriteKind.DELETE && !wire.getDocument().isEmpty()) {
            throw Checks.inconsistent(
                    "document has "
                            + wire.getDocument().length()
                            + " characters in a delete; allowed: none");
        }
        if (kind != WriteKind.DELETE && wire.getDocument().isEmpty()) {
            throw new InvalidRecordException(
                    MISSING_FIELD,
                    "document is empty in an " + kind + "; allowed: what the write left");
        }
        return new RecordWrite(
                Checks.name("service", wire.getService()),
                Checks.name("table", wire.getTable()),
                key("record", wire.getRecord()),
                kind,
                version("version", wire.getVersion()),
                Checks.millis("written_millis", wire.getWrittenMillis()),
                json("document", wire.getDocument(), RecordWrite.LONGEST_DOCUMENT));
    }

    static SubscriptionProto toWire(Subscription subscription) {
        SubscriptionProto.Builder wire =
                SubscriptionProto.newBuilder()
                        .setService(subscription.service())
                        .setTable(subscription.table())
                        .setKey(subscription.key())
                        .setFilter(subscription.filter())
                        .setSort(subscription.sort())
                        .setLimit(subscription.limit())
                        .setOffset(subscription.offset())
                        .setRepresentation(
                                RepresentationProto.forNumber(
                                        subscription.representation().ordinal() + 1))
                        .setEvaluatedMillis(subscription.evaluatedMillis())
                        .setRegisteredMillis(subscription.registeredMillis());
        for (ResultRecord record : subscription.result()) {
            wire.addResult(
                    ResultRecordProto.newBuilder()
                            .setRecord(record.record())
                            .setVersion(record.version())
                            .setDocument(record.document()));
        }
        return wire.build();
    }

    static Subscription fromWire(SubscriptionProto wire) throws InvalidRecordException {
        if (wire.getFilter().isEmpty()) {
            throw new InvalidRecordException(
                    MISSING_FIELD, "filter is empty; allowed: {} to select everything");
        }
        Checks.parts("result", wire.getResultCount());
        List<ResultRecord> result = new ArrayList<>(wire.getResultCount());
        for (ResultRecordProto record : wire.getResultList()) {
            result.add(
                    new ResultRecord(
                            key("result.record", record.getRecord()),
                            version("result.version", record.getVersion()),
                            json(
                                    "result.document",
                                    record.getDocument(),
                                    RecordWrite.LONGEST_DOCUMENT)));
        }
        long evaluated = Checks.millis("evaluated_millis", wire.getEvaluatedMillis());
        return SubscriptionBuilder.builder()
                .service(Checks.name("service", wire.getService()))
                .table(Checks.name("table", wire.getTable()))
                .key(key("key", wire.getKey()))
                .filter(json("filter", wire.getFilter(), Subscription.LONGEST_FILTER))
                .sort(json("sort", wire.getSort(), Subscription.LONGEST_FILTER))
                .limit((int) Checks.within("limit", wire.getLimit(), 0, Integer.MAX_VALUE))
                .offset((int) Checks.within("offset", wire.getOffset(), 0, Integer.MAX_VALUE))
                .representation(
                        Checks.constant(
                                "representation", wire.getRepresentationValue(), REPRESENTATIONS))
                .evaluatedMillis(evaluated)
                .result(List.copyOf(result))
                .registeredMillis(
                        Checks.within(
                                "registered_millis",
                                wire.getRegisteredMillis(),
                                evaluated,
                                Checks.LATEST_MILLIS))
                .build();
    }

    static InvalidationProto toWire(Invalidation invalidation) {
        return InvalidationProto.newBuilder()
                .setService(invalidation.service())
                .setTable(invalidation.table())
                .setKey(invalidation.key())
                .setKind(CachedKindProto.forNumber(invalidation.kind().ordinal() + 1))
                .setChange(ResultChangeProto.forNumber(invalidation.change().ordinal() + 1))
                .setRecord(invalidation.record())
                .setVersion(invalidation.version())
                .setWrittenMillis(invalidation.writtenMillis())
                .setMode(InvalidationModeProto.forNumber(invalidation.mode().ordinal() + 1))
                .setServeStaleMillis(invalidation.serveStaleMillis())
                .setPartition(invalidation.partition())
                .setSequence(invalidation.sequence())
                .setCompleteBeforeMillis(invalidation.completeBeforeMillis())
                .setRetryAfterMillis(invalidation.retryAfterMillis())
                .build();
    }

    static Invalidation fromWire(InvalidationProto wire) throws InvalidRecordException {
        ResultChange change = Checks.constant("change", wire.getChangeValue(), CHANGES);
        InvalidationMode mode = Checks.constant("mode", wire.getModeValue(), MODES);
        boolean isSoft = mode == InvalidationMode.SOFT;
        boolean isMark = change == ResultChange.NONE;
        boolean isOfNoRecord = isMark || (change.mayLackRecord() && wire.getRecord().isEmpty());
        if (isMark
                && !(wire.getService() + wire.getTable() + wire.getKey() + wire.getRecord())
                        .isEmpty()) {
            throw Checks.inconsistent(
                    "service, table, key or record is set though nothing changed; allowed: none of"
                            + " them");
        }
        return InvalidationBuilder.builder()
                .service(isMark ? "" : Checks.name("service", wire.getService()))
                .table(isMark ? "" : Checks.name("table", wire.getTable()))
                .key(isMark ? "" : key("key", wire.getKey()))
                .kind(Checks.constant("kind", wire.getKindValue(), KINDS))
                .change(change)
                .record(isOfNoRecord ? "" : key("record", wire.getRecord()))
                .version(version("version", wire.getVersion()))
                .writtenMillis(Checks.millis("written_millis", wire.getWrittenMillis()))
                .mode(mode)
                .serveStaleMillis(
                        Checks.within(
                                "serve_stale_millis",
                                wire.getServeStaleMillis(),
                                isSoft ? 1 : 0,
                                isSoft ? CacheRead.LONGEST_TTL_MILLIS : 0))
                .partition(
                        (int) Checks.within("partition", wire.getPartition(), 0, Integer.MAX_VALUE))
                .sequence(Checks.count("sequence", wire.getSequence()))
                .completeBeforeMillis(
                        Checks.within(
                                "complete_before_millis",
                                wire.getCompleteBeforeMillis(),
                                0,
                                Checks.LATEST_MILLIS))
                .retryAfterMillis(
                        Checks.within(
                                "retry_after_millis",
                                wire.getRetryAfterMillis(),
                                change == ResultChange.REFUSED ? 1 : 0,
                                Invalidation.LONGEST_RETRY_MILLIS))
                .build();
    }

    static CachingWindowProto toWire(CachingWindow window) {
        CachingWindowProto.Builder wire =
                CachingWindowProto.newBuilder()
                        .setService(window.service())
                        .setTable(window.table())
                        .setStartMillis(window.startMillis())
                        .setEndMillis(window.endMillis())
                        .setOriginReads(window.originReads())
                        .setWrites(window.writes())
                        .setInvalidations(window.invalidations());
        window.handedOut()
                .ifPresent(
                        q ->
                                wire.setHandedOut(
                                        TtlQuantilesProto.newBuilder()
                                                .setCount(q.count())
                                                .setP10Millis(q.p10Millis())
                                                .setP50Millis(q.p50Millis())
                                                .setP90Millis(q.p90Millis())
                                                .setP99Millis(q.p99Millis())));
        for (InvalidatedKey most : window.mostInvalidated()) {
            wire.addMostInvalidated(
                    InvalidatedKeyProto.newBuilder()
                            .setKey(most.key())
                            .setInvalidations(most.invalidations()));
        }
        window.filter()
                .ifPresent(
                        f ->
                                wire.setFilter(
                                        FilterFillProto.newBuilder()
                                                .setStaleKeys(f.staleKeys())
                                                .setTrackedKeys(f.trackedKeys())
                                                .setBytes(f.bytes())
                                                .setFill(f.fill())
                                                .setFalsePositiveRate(f.falsePositiveRate())));
        window.use().map(CachingCodec::toWire).ifPresent(wire::setUse);
        return wire.build();
    }

    static CachingWindow fromWire(CachingWindowProto wire) throws InvalidRecordException {
        long start = Checks.millis("start_millis", wire.getStartMillis());
        return CachingWindowBuilder.builder()
                .service(Checks.name("service", wire.getService()))
                .table(Checks.name("table", wire.getTable()))
                .startMillis(start)
                .endMillis(
                        Checks.within(
                                "end_millis",
                                wire.getEndMillis(),
                                start + 1,
                                Checks.LATEST_MILLIS + 1))
                .originReads(Checks.count("origin_reads", wire.getOriginReads()))
                .writes(Checks.count("writes", wire.getWrites()))
                .invalidations(Checks.count("invalidations", wire.getInvalidations()))
                .handedOut(
                        wire.hasHandedOut()
                                ? Optional.of(fromWire(wire.getHandedOut()))
                                : Optional.empty())
                .mostInvalidated(mostInvalidated(wire.getMostInvalidatedList()))
                .filter(
                        wire.hasFilter()
                                ? Optional.of(fromWire(wire.getFilter()))
                                : Optional.empty())
                .use(wire.hasUse() ? Optional.of(fromWire("use", wire.getUse())) : Optional.empty())
                .build();
    }

    private static TtlQuantiles fromWire(TtlQuantilesProto wire) throws InvalidRecordException {
        double p10 = Checks.within("handed_out.p10_millis", wire.getP10Millis(), 0, GREATEST);
        double p50 = Checks.within("handed_out.p50_millis", wire.getP50Millis(), p10, GREATEST);
        double p90 = Checks.within("handed_out.p90_millis", wire.getP90Millis(), p50, GREATEST);
        return new TtlQuantiles(
                Checks.within("handed_out.count", wire.getCount(), 1, CacheCounts.MOST),
                p10,
                p50,
                p90,
                Checks.within("handed_out.p99_millis", wire.getP99Millis(), p90, GREATEST));
    }

    private static List<InvalidatedKey> mostInvalidated(List<InvalidatedKeyProto> wire)
            throws InvalidRecordException {
        Checks.within("most_invalidated", wire.size(), 0, CachingWindow.MOST_KEYS);
        List<InvalidatedKey> keys = new ArrayList<>(wire.size());
        for (InvalidatedKeyProto one : wire) {
            keys.add(
                    new InvalidatedKey(
                            key("most_invalidated.key", one.getKey()),
                            Checks.count(
                                    "most_invalidated.invalidations", one.getInvalidations())));
        }
        return List.copyOf(keys);
    }

    private static FilterFill fromWire(FilterFillProto wire) throws InvalidRecordException {
        return new FilterFill(
                Checks.count("filter.stale_keys", wire.getStaleKeys()),
                Checks.count("filter.tracked_keys", wire.getTrackedKeys()),
                (int) Checks.within("filter.bytes", wire.getBytes(), 0, Integer.MAX_VALUE),
                Checks.fraction("filter.fill", wire.getFill()),
                Checks.fraction("filter.false_positive_rate", wire.getFalsePositiveRate()));
    }

    static CacheUseProto toWire(CacheUse use) {
        return CacheUseProto.newBuilder()
                .setService(use.service())
                .setTable(use.table())
                .setReporter(use.reporter())
                .setSecondMillis(use.secondMillis())
                .setCounts(toWire(use.counts()))
                .build();
    }

    private static CacheCountsProto toWire(CacheCounts counts) {
        return CacheCountsProto.newBuilder()
                .setReads(counts.reads())
                .setClientHits(counts.clientHits())
                .setSharedHits(counts.sharedHits())
                .setRevalidations(counts.revalidations())
                .setNeedlessRevalidations(counts.needlessRevalidations())
                .setStaleReads(counts.staleReads())
                .build();
    }

    static CacheUse fromWire(CacheUseProto wire) throws InvalidRecordException {
        if (!wire.hasCounts()) {
            throw new InvalidRecordException(
                    MISSING_FIELD, "counts are not set; allowed: the second's");
        }
        return new CacheUse(
                Checks.name("service", wire.getService()),
                Checks.name("table", wire.getTable()),
                Checks.text("reporter", wire.getReporter()),
                Checks.millis("second_millis", wire.getSecondMillis()),
                fromWire("counts", wire.getCounts()));
    }

    private static CacheCounts fromWire(String field, CacheCountsProto wire)
            throws InvalidRecordException {
        long reads = Checks.within(field + ".reads", wire.getReads(), 0, CacheCounts.MOST);
        long clientHits = Checks.within(field + ".client_hits", wire.getClientHits(), 0, reads);
        long revalidations =
                Checks.within(field + ".revalidations", wire.getRevalidations(), 0, reads);
        return new CacheCounts(
                reads,
                clientHits,
                Checks.within(field + ".shared_hits", wire.getSharedHits(), 0, reads - clientHits),
                revalidations,
                Checks.within(
                        field + ".needless_revalidations",
                        wire.getNeedlessRevalidations(),
                        0,
                        revalidations),
                Checks.within(field + ".stale_reads", wire.getStaleReads(), 0, reads));
    }

    private static long ttl(long value) throws InvalidRecordException {
        return Checks.within("ttl_millis", value, 0, CacheRead.LONGEST_TTL_MILLIS);
    }

    private static long version(String field, long value) throws InvalidRecordException {
        return Checks.within(field, value, 0, RecordWrite.LARGEST_VERSION);
    }

    /** Keys may be longer than other texts, because URLs are keys. */
    private static String key(String field, String value) throws InvalidRecordException {
        return Checks.text(field, value, CacheRead.LONGEST_KEY);
    }

    /** Checks the length only; the reader of the field parses the JSON. */
    private static String json(String field, String value, int longest)
            throws InvalidRecordException {
        if (value.length() > longest) {
            throw new InvalidRecordException(
                    IMPOSSIBLE_TEXT,
                    field + " has " + value.length() + " characters; allowed: at most " + longest);
        }
        return value;
    }
}
