package io.kipimo.core.ttl;

import io.kipimo.core.invalidation.UseMeter;
import io.kipimo.core.quality.similarity.Ranking;
import io.kipimo.core.quality.similarity.Similarity;
import java.util.OptionalDouble;

/**
 * Updates the state of one record or query after reads and changes, and decides what to publish. Events should come in
 * the order of their times; a late event contributes as far as it can. Pure functions.
 *
 * <p>The loss of a change is 1 minus the similarity of the last result read before it to the first result read after
 * it. Several changes between these reads share the loss.
 */
public final class TtlTracking {
    /** Estimates that differ from the published one by a smaller share are not published. */
    private static final double LEAST_CHANGE = 0.1;

    /**
     * Hits saved that differ from the published ones by a smaller share are not published. They only serve to compare
     * queries.
     */
    private static final double LEAST_HITS_CHANGE = 0.5;

    /**
     * Rates are computed over at least 1/{@value} of the window, since one write in a very short time would give a high
     * rate.
     */
    private static final int LEAST_SHARE_OF_WINDOW = 10;

    private final TtlSettings settings;
    private final TtlEstimator estimator;
    private final WriteWindow window;
    private final Similarity similarity;
    private final UseMeter meter;

    /**
     * @param meter measures the use of queries
     * @param similarity compares results; null: they are not compared, and every change is a total loss
     */
    public TtlTracking(TtlSettings settings, WriteWindow window, UseMeter meter, Similarity similarity) {
        this.settings = settings;
        this.estimator = new TtlEstimator(settings);
        this.window = window;
        this.similarity = similarity;
        this.meter = meter;
    }

    public TrackedRecord wrote(TrackedRecord before, long atMillis) {
        return new TrackedRecord(window.wrote(before.writes(), atMillis), before.lastReadMillis(), before.published());
    }

    public TrackedRecord read(TrackedRecord before, long atMillis) {
        return new TrackedRecord(before.writes(), Math.max(before.lastReadMillis(), atMillis), before.published());
    }

    /**
     * Writes a second of a record.
     *
     * @param startedAtMillis start of the observation; earlier writes are not known
     */
    public double writesPerSecond(TrackedRecord record, long nowMillis, long startedAtMillis) {
        long latestStart = nowMillis - window.windowMillis() / LEAST_SHARE_OF_WINDOW;
        return window.perSecond(record.writes(), nowMillis, Math.min(startedAtMillis, latestStart));
    }

    public long recordMillis(double writesPerSecond) {
        return estimator.recordMillis(writesPerSecond);
    }

    /** Whether the record was read recently, so that its time to live is of use. */
    public boolean isRead(TrackedRecord record, long nowMillis) {
        return record.lastReadMillis() >= nowMillis - settings.forgetAfterMillis();
    }

    public boolean isForgotten(TrackedRecord record, long nowMillis) {
        return !isRead(record, nowMillis) && window.isOver(record.writes(), nowMillis);
    }

    /**
     * Updates the state after a query's result was handed out.
     *
     * @param before null for a new query
     * @param writesPerSecond sum of the write rates of its records; empty: not known
     * @param records records of the result, best first; empty if results are not compared
     * @return null if there is still no estimate
     */
    public TrackedQuery read(TrackedQuery before, OptionalDouble writesPerSecond, long[] records, long atMillis) {
        if (before == null || estimator.isForgotten(before.query(), atMillis)) {
            return writesPerSecond.isEmpty()
                    ? null
                    : new TrackedQuery(
                            estimator.read(null, writesPerSecond.getAsDouble(), atMillis),
                            Long.MIN_VALUE,
                            0,
                            records,
                            before == null ? PublishedTtl.NOTHING : before.published(),
                            null,
                            before == null ? PublishedUse.NOTHING : before.publishedUse());
        }
        if (atMillis < before.changedMillis()) {
            // A late read from before the newest change shows nothing about the current result.
            return before;
        }
        CachedQuery query = before.query();
        if (before.changes() > 0 && similarity != null && query.invalidations() > 0) {
            double loss = 1 - similarity.of(ranking(before.records()), ranking(records));
            query = estimator.compared(query, 1 - loss / before.changes());
        }
        double perSecond = writesPerSecond.orElse(TtlEstimator.writesPerSecond(query));
        return new TrackedQuery(
                estimator.read(query, perSecond, atMillis),
                before.changedMillis(),
                0,
                records,
                before.published(),
                before.use(),
                before.publishedUse());
    }

    /**
     * Updates the use of a query after a read.
     *
     * @param ttlMillis time to live that was handed out
     * @param records number of records in the result
     * @param writesPerSecond sum of the write rates of these records; empty: not known
     */
    public TrackedQuery used(
            TrackedQuery read, long ttlMillis, int records, OptionalDouble writesPerSecond, long atMillis) {
        double known = read.use() == null ? 0 : read.use().recordWrites();
        return read.with(meter.read(read.use(), ttlMillis, records, writesPerSecond.orElse(known), atMillis));
    }

    /**
     * Updates the use of a query after a change of its result.
     *
     * @param before null for an unknown query
     * @param changesIds whether records entered or left the result, or moved in it
     */
    public TrackedQuery usedUntil(TrackedQuery before, boolean changesIds, long atMillis) {
        return before == null || before.use() == null
                ? before
                : before.with(meter.changed(before.use(), changesIds, atMillis));
    }

    /** The use to publish for a query. */
    public PublishedUse use(TrackedQuery query) {
        return query.use() == null
                ? new PublishedUse(null, 0)
                : new PublishedUse(query.use().isChosen() ? query.use().form() : null, meter.hitsSaved(query.use()));
    }

    /**
     * Updates the state after a change of a query's result.
     *
     * @param before null for an unknown query
     * @return {@code before} if the change has no effect: the query is forgotten, or the change is older than one
     *     already seen or than the first read
     */
    public TrackedQuery changed(TrackedQuery before, long atMillis) {
        if (before == null
                || atMillis <= before.changedMillis()
                || isBeforeFirstRead(before.query(), atMillis)
                || estimator.isForgotten(before.query(), atMillis)) {
            return before;
        }
        return new TrackedQuery(
                estimator.invalidated(before.query(), atMillis),
                atMillis,
                before.changes() + 1,
                before.records(),
                before.published(),
                before.use(),
                before.publishedUse());
    }

    private static boolean isBeforeFirstRead(CachedQuery query, long atMillis) {
        return query.firstReadMillis() != Long.MAX_VALUE && atMillis < query.firstReadMillis();
    }

    public long queryMillis(TrackedQuery query) {
        return estimator.queryMillis(query.query());
    }

    public boolean isForgotten(TrackedQuery query, long nowMillis) {
        return estimator.isForgotten(query.query(), nowMillis);
    }

    /**
     * Whether to publish the estimate: if none was published, if it differs enough from the published one, or if
     * readers will soon forget that one.
     */
    public boolean isWorthPublishing(PublishedTtl published, long ttlMillis, long nowMillis) {
        return !published.isSomething()
                || Math.abs(ttlMillis - published.ttlMillis()) > LEAST_CHANGE * published.ttlMillis()
                || nowMillis - published.atMillis() >= settings.forgetAfterMillis() / 2;
    }

    /** Whether to publish a query's use: if it differs enough from the published one. */
    public boolean isWorthPublishing(PublishedUse published, PublishedUse use) {
        return published.form() != use.form()
                || Math.abs(use.hitsSavedPerSecond() - published.hitsSavedPerSecond())
                        > LEAST_HITS_CHANGE * published.hitsSavedPerSecond();
    }

    private static Ranking ranking(long[] records) {
        Ranking.RankingBuilder ranking = Ranking.builder(records.length);
        for (long record : records) {
            boolean unused = ranking.addIfNew(record);
        }
        return ranking.build();
    }
}
