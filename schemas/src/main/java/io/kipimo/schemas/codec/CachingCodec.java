package io.kipimo.schemas.codec;

import static io.kipimo.schemas.deadletter.RejectionReason.MISSING_FIELD;

import io.kipimo.schemas.caching.CacheCounts;
import io.kipimo.schemas.caching.CacheRead;
import io.kipimo.schemas.caching.CacheUse;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.CachingWindow;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.InvalidationMode;
import io.kipimo.schemas.caching.RecordWrite;
import io.kipimo.schemas.caching.ResultChange;
import io.kipimo.schemas.caching.Subscription;
import io.kipimo.schemas.caching.WriteKind;
import io.kipimo.schemas.wire.CacheCountsProto;
import io.kipimo.schemas.wire.CacheReadProto;
import io.kipimo.schemas.wire.CacheUseProto;
import io.kipimo.schemas.wire.CachingWindowProto;
import io.kipimo.schemas.wire.InvalidationProto;
import io.kipimo.schemas.wire.RecordWriteProto;
import io.kipimo.schemas.wire.SubscriptionProto;

/** Records of package {@code schemas.caching} on the wire. */
final class CachingCodec {
    static final RecordMapping<CacheRead, CacheReadProto> READ = RecordMapping.of(
                    CacheRead.class, CacheReadProto.getDefaultInstance())
            .check((path, read, wire) -> check(read));

    static final RecordMapping<RecordWrite, RecordWriteProto> WRITE = RecordMapping.of(
                    RecordWrite.class, RecordWriteProto.getDefaultInstance())
            .check((path, write, wire) -> check(write));

    static final RecordMapping<Subscription, SubscriptionProto> SUBSCRIPTION = RecordMapping.of(
                    Subscription.class, SubscriptionProto.getDefaultInstance())
            .check((path, subscription, wire) -> check(subscription));

    static final RecordMapping<Invalidation, InvalidationProto> INVALIDATION = RecordMapping.of(
                    Invalidation.class, InvalidationProto.getDefaultInstance())
            .check((path, invalidation, wire) -> check(invalidation));

    private static final RecordMapping<CacheCounts, CacheCountsProto> COUNTS = RecordMapping.of(
                    CacheCounts.class, CacheCountsProto.getDefaultInstance())
            .check((path, counts, wire) ->
                    Checks.within(path + "shared_hits", counts.sharedHits(), 0, counts.reads() - counts.clientHits()));

    static final RecordMapping<CachingWindow, CachingWindowProto> WINDOW = RecordMapping.partly(
                    CachingWindow.class, CachingWindowProto.getDefaultInstance())
            .with("use", COUNTS)
            .derived()
            .check((path, window, wire) -> Checks.within(
                    "end_millis", window.endMillis(), window.startMillis() + 1, Checks.LATEST_MILLIS + 1));

    static final RecordMapping<CacheUse, CacheUseProto> USE = RecordMapping.partly(
                    CacheUse.class, CacheUseProto.getDefaultInstance())
            .with("counts", COUNTS)
            .derived();

    private CachingCodec() {}

    private static void check(CacheRead read) throws InvalidRecordException {
        if (read.kind() == CachedKind.RECORD && !read.recordKeys().isEmpty()) {
            throw Checks.inconsistent(
                    "record_keys has " + read.recordKeys().size() + " parts in a read of a record; allowed: 0");
        }
    }

    private static void check(RecordWrite write) throws InvalidRecordException {
        boolean isDelete = write.kind() == WriteKind.DELETE;
        if (isDelete && !write.document().isEmpty()) {
            throw Checks.inconsistent(
                    "document has " + write.document().length() + " characters in a delete; allowed: none");
        }
        if (!isDelete && write.document().isEmpty()) {
            throw new InvalidRecordException(
                    MISSING_FIELD, "document is empty in an " + write.kind() + "; allowed: what the write left");
        }
    }

    private static void check(Subscription subscription) throws InvalidRecordException {
        if (subscription.filter().isEmpty()) {
            throw new InvalidRecordException(MISSING_FIELD, "filter is empty; allowed: {} to select everything");
        }
    }

    private static void check(Invalidation invalidation) throws InvalidRecordException {
        if (!invalidation.isMark()) {
            Checks.name("service", invalidation.service());
            Checks.name("table", invalidation.table());
            Checks.text("key", invalidation.key(), CacheRead.LONGEST_KEY);
            if (!invalidation.change().mayLackRecord()) {
                Checks.text("record", invalidation.record(), CacheRead.LONGEST_KEY);
            }
        } else if (!(invalidation.service() + invalidation.table() + invalidation.key() + invalidation.record())
                .isEmpty()) {
            throw Checks.inconsistent(
                    "service, table, key or record is set though nothing changed; allowed: none of" + " them");
        }
        boolean isSoft = invalidation.mode() == InvalidationMode.SOFT;
        Checks.within(
                "serve_stale_millis",
                invalidation.serveStaleMillis(),
                isSoft ? 1 : 0,
                isSoft ? CacheRead.LONGEST_TTL_MILLIS : 0);
        Checks.within(
                "retry_after_millis",
                invalidation.retryAfterMillis(),
                invalidation.change() == ResultChange.REFUSED ? 1 : 0,
                Invalidation.LONGEST_RETRY_MILLIS);
    }
}
