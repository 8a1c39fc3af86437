package io.kipimo.core.quality.join;

import io.kipimo.core.quality.join.ExpirySchedule.Due;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QueryKey;
import io.kipimo.schemas.quality.SampledEvent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Owns the life of sampled queries: which events are late or duplicates, when a query is measured,
 * when its results are handed over for profiling, when its window ends, and when it is forgotten.
 * The rules of one query are in {@link QueryJoin}; where queries are kept is up to a {@link
 * QueryStore}.
 *
 * <p>Whoever drives an engine gives it events and event time, and nothing else: {@link #accept} for
 * every event, {@link #advance} when no event before a time is expected any more. Queries are due
 * in whole seconds of event time ({@link #nextDueMillis}).
 *
 * <p>A measured query stays as a tombstone for {@link #TOMBSTONE_SLACK_MILLIS} after its window,
 * since its events may come through several partitions. Without it a second, partial measurement
 * would appear. Event time never goes back for the same reason; after a restart it goes on where it
 * was.
 *
 * <p>Mutable, for one thread. An event allocates nothing but what its query keeps.
 */
public final class JoinEngine {
    /**
     * For how long a query that is settled is remembered, in event time: by how much the starts
     * that its events know of, and the partitions that they come through, may differ.
     */
    public static final long TOMBSTONE_SLACK_MILLIS = 10_000;

    private final QueryStore store;
    private final Function<String, QualitySettings> settingsOf;
    private final boolean keepsResults;
    private final JoinOutput output;
    private final ExpirySchedule due = new ExpirySchedule();
    private long eventTimeMillis = Long.MIN_VALUE;
    private long lastSettledMillis = Long.MIN_VALUE;

    /**
     * @param settingsOf a service; null for services that are not known. Once known, a service
     *     stays so, and its settings may change
     * @param keepsResults whether results of measured queries are kept until {@link
     *     JoinOutput#onResults}
     */
    public JoinEngine(
            QueryStore store,
            Function<String, QualitySettings> settingsOf,
            boolean keepsResults,
            JoinOutput output) {
        this.store = store;
        this.settingsOf = settingsOf;
        this.keepsResults = keepsResults;
        this.output = output;
    }

    /**
     * Takes a query that the store has kept since an earlier engine's time. Give the event time of
     * that engine to {@link #advance} before.
     */
    public void restore(QueryKey key, OpenQuery query) {
        due.add(new Due(key, null), query.dueMillis());
        lastSettledMillis = Math.max(lastSettledMillis, query.dueMillis());
    }

    /**
     * Takes one event.
     *
     * @return whether the event's service is known; if not, nothing is done
     */
    public boolean accept(SampledEvent event) {
        QueryKey key = event.key();
        QualitySettings settings = settingsOf.apply(key.service());
        if (settings == null) {
            return false;
        }
        if (QueryJoin.isLateByItself(event, settings, eventTimeMillis)) {
            output.onFate(event, JoinResult.LATE);
            return true;
        }
        OpenQuery known = store.find(key);
        OpenQuery query = known == null ? new OpenQuery() : known;
        boolean hadBegun = query.hasBegun();
        int unnamedBefore = query.isMeasured() ? query.unnamedResults() : 0;
        if (!QueryJoin.accept(query, event, settings, eventTimeMillis, output)) {
            return true;
        }
        if (query.isMeasured()) {
            output.onUnnamedResults(query.unnamedResults() - unnamedBefore);
        }
        Optional<Measurement> measurement = QueryJoin.measureIfComplete(key, query, settings);
        if (measurement.isPresent()) {
            emit(measurement.get(), query, settings);
        }
        if (query.isMeasured()) {
            handOver(key, query, measurement);
        }
        if (!hadBegun && query.hasBegun()) {
            output.onBegin(key);
        }
        schedule(key, query, settings, known == null);
        store.keep(key, query, known == null);
        return true;
    }

    private void schedule(QueryKey key, OpenQuery query, QualitySettings settings, boolean isNew) {
        long settled = QueryJoin.settledMillis(query, settings);
        long dueMillis =
                ExpirySchedule.onGrid(
                        query.isMeasured() ? settled + TOMBSTONE_SLACK_MILLIS : settled);
        lastSettledMillis = Math.max(lastSettledMillis, ExpirySchedule.onGrid(settled));
        // Results may have come before the event that knows of an earlier start.
        if (isNew || dueMillis < query.dueMillis()) {
            query.setDueMillis(dueMillis);
            due.add(new Due(key, store.keepsObjects() ? query : null), dueMillis);
        }
    }

    /** Event time has come to {@code millis}, epoch milliseconds; earlier times change nothing. */
    public void advance(long millis) {
        if (millis < eventTimeMillis) {
            return;
        }
        eventTimeMillis = millis;
        for (Map.Entry<Long, List<Due>> second = due.poll(millis);
                second != null;
                second = due.poll(millis)) {
            for (Due query : second.getValue()) {
                lookAt(query, second.getKey());
            }
        }
    }

    /** How far event time has come, epoch milliseconds; {@link Long#MIN_VALUE} at first. */
    public long eventTimeMillis() {
        return eventTimeMillis;
    }

    /**
     * When {@link #advance} has something to do, at the earliest; {@link Long#MAX_VALUE}: never.
     */
    public long nextDueMillis() {
        return due.nextMillis();
    }

    /**
     * Event time by which every query that was seen is measured; {@link Long#MIN_VALUE} if none
     * was. All are forgotten {@link #TOMBSTONE_SLACK_MILLIS} later.
     */
    public long lastSettledMillis() {
        return lastSettledMillis;
    }

    /** Event time has come to where the query wanted to be looked at. */
    private void lookAt(Due dueQuery, long nowMillis) {
        QueryKey key = dueQuery.key();
        QualitySettings settings = settingsOf.apply(key.service());
        OpenQuery query = isFinal(dueQuery.lastSeen()) ? dueQuery.lastSeen() : store.find(key);
        if (query == null) {
            // It was due twice, since its start turned out to be earlier.
            return;
        }
        long settled = QueryJoin.settledMillis(query, settings);
        long forgotten = settled + TOMBSTONE_SLACK_MILLIS;
        if (nowMillis >= settled && !isFinal(query)) {
            settle(key, query, settings);
        }
        if (nowMillis >= forgotten) {
            store.forget(key);
            return;
        }
        // An answer after a partial result may have known of a later start. The stored time stays:
        // after a restore the query is looked at once more than it has to be.
        due.add(dueQuery, ExpirySchedule.onGrid(nowMillis < settled ? settled : forgotten));
    }

    /** Measured, and no results are awaited: neither changes any more, nor does the start. */
    private static boolean isFinal(OpenQuery seen) {
        return seen != null && seen.isMeasured() && !seen.holdsResults();
    }

    private void settle(QueryKey key, OpenQuery query, QualitySettings settings) {
        Optional<Measurement> measurement = QueryJoin.measureExpired(key, query, settings, output);
        if (measurement.isPresent()) {
            emit(measurement.get(), query, settings);
        }
        handOver(key, query, measurement);
        // What a clean query's results have not brought by now will not come any more.
        query.discardResults();
        // Without it, events that were held would be late once more when the query is forgotten.
        store.keep(key, query, false);
    }

    /**
     * Hands a measured query over once all its results are there, and lets go of them: at its
     * measurement if it is degraded, else when they have come, if they do.
     */
    private void handOver(QueryKey key, OpenQuery query, Optional<Measurement> measurement) {
        if (!keepsResults) {
            query.discardResults();
        } else if (query.holdsResults() && (query.isDegraded() || query.hasAllResults())) {
            output.onResults(key, query, measurement.map(ContributionBounds::withoutUnknownLosses));
            query.discardResults();
        }
    }

    private void emit(Measurement measurement, OpenQuery query, QualitySettings settings) {
        output.onMeasurement(measurement, QueryJoin.measuredBeforeMillis(measurement, settings));
        output.onUnnamedResults(query.unnamedResults());
    }
}
