package io.kipimo.operators.invalidation;

import io.kipimo.core.invalidation.InvalidationRule;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.CachedScope;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.InvalidationBuilder;
import io.kipimo.schemas.caching.ResultChange;

/**
 * An invalidation on its way to the log.
 *
 * @param registeredMillis time of the query's registration; 0 for a record
 * @param epoch epoch of the writer that numbered the notification; 0 before it is numbered
 */
public record Notification(Invalidation invalidation, long registeredMillis, long epoch) {
    /** A notification without a number yet. */
    static Notification of(
            QueryId id,
            CachedKind kind,
            ResultChange change,
            String record,
            long version,
            long writtenMillis,
            InvalidationRule rule) {
        return of(id, kind, change, record, version, writtenMillis, rule, 0);
    }

    /** A refusal: the query is not matched and may be subscribed again after a while. */
    static Notification refused(QueryId id, long atMillis, long retryAfterMillis, InvalidationRule rule) {
        return of(id, CachedKind.QUERY, ResultChange.REFUSED, "", 0, Math.max(0, atMillis), rule, retryAfterMillis);
    }

    private static Notification of(
            QueryId id,
            CachedKind kind,
            ResultChange change,
            String record,
            long version,
            long writtenMillis,
            InvalidationRule rule,
            long retryAfterMillis) {
        return new Notification(
                InvalidationBuilder.builder()
                        .service(id.service())
                        .table(id.table())
                        .key(id.key())
                        .kind(kind)
                        .change(change)
                        .record(record)
                        .version(version)
                        .writtenMillis(writtenMillis)
                        .mode(rule.mode())
                        .serveStaleMillis(rule.serveStaleMillis())
                        .retryAfterMillis(retryAfterMillis)
                        .build(),
                id.registeredMillis(),
                0);
    }

    /** Returns a mark, which states that all notifications before the time were sent. It has no number yet. */
    static Notification mark(long completeBeforeMillis) {
        return new Notification(Invalidation.mark(completeBeforeMillis), 0, 0);
    }

    /** Identity, by which repetitions are recognised. */
    public String identity() {
        return registeredMillis
                + "@"
                + scope()
                + '\n'
                + invalidation.kind()
                + '\n'
                + invalidation.record()
                + '\n'
                + invalidation.version();
    }

    /** service/table/key, which determines the partition. */
    public String scope() {
        return CachedScope.of(invalidation.service(), invalidation.table(), invalidation.key());
    }

    Notification numbered(int partition, long sequence, long writerEpoch, long completeBeforeMillis) {
        return new Notification(
                InvalidationBuilder.builder(invalidation)
                        .partition(partition)
                        .sequence(sequence)
                        .completeBeforeMillis(completeBeforeMillis)
                        .build(),
                registeredMillis,
                writerEpoch);
    }
}
