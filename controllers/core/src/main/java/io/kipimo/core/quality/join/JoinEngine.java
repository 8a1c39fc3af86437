package io.kipimo.core.quality.join;

import io.kipimo.core.quality.join.ExpirySchedule.DueQuery;
import io.kipimo.core.quality.join.QueryJoin.Punctuality;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QueryKey;
import io.kipimo.schemas.quality.SampledEvent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Manages the life cycle of sampled queries: it classifies events as late or duplicate, measures queries, hands their
 * results over for profiling, ends their windows and removes them. {@link QueryJoin} has the rules of one query; a
 * {@link QueryStore} keeps the queries.
 *
 * <p>The caller passes only events and event time: {@link #accept} for every event, {@link #advance} when no event
 * before a time is expected any more. Queries are due in whole seconds of event time ({@link #nextDueMillis}).
 *
 * <p>A measured query stays as a tombstone for {@link #TOMBSTONE_SLACK_MILLIS} after its window, since its events may
 * arrive through several partitions. The tombstone prevents a second, partial measurement. For the same reason event
 * time never goes back; after a restart it continues from its stored value.
 *
 * <p>Mutable, for one thread. An event allocates only what its query keeps.
 */
public final class JoinEngine implements JoinProgress {
    /**
     * How long a settled query is kept, in event time. The join assumes that the starts in the events of a query, and
     * the partitions that the events come through, differ by no more.
     */
    public static final long TOMBSTONE_SLACK_MILLIS = 10_000;

    private final QueryStore store;
    private final Function<String, QualitySettings> settingsOf;
    private final boolean keepsResults;
    private final JoinOutput output;
    private final ExpirySchedule schedule = new ExpirySchedule();
    private long eventTimeMillis = Long.MIN_VALUE;
    private long lastSettledMillis = Long.MIN_VALUE;

    /** Null: an event that is overdue never begins its query. */
    private ForgottenQueries forgotten;

    /** Lets every query be measured unless the caller samples a backlog. */
    private BacklogSampling backlog = new BacklogSampling(BacklogSampling.BacklogSettings.OFF);

    /**
     * @param settingsOf settings of a service; null for unknown services, and if they cannot be used. A known service
     *     stays known to an engine, and its settings may change
     * @param keepsResults whether results of measured queries are kept until {@link JoinOutput#onResults}
     */
    public JoinEngine(
            QueryStore store, Function<String, QualitySettings> settingsOf, boolean keepsResults, JoinOutput output) {
        this.store = store;
        this.settingsOf = settingsOf;
        this.keepsResults = keepsResults;
        this.output = output;
    }

    /**
     * Makes the engine add the queries that it removes to {@code forgotten}. Then an overdue event
     * ({@link Punctuality#OVERDUE}) may begin its query, if the engine certainly never had that query.
     */
    void remember(ForgottenQueries forgotten) {
        this.forgotten = forgotten;
    }

    /** Makes the engine measure only a sample of the queries while the job is behind. */
    void sample(BacklogSampling sampling) {
        backlog = sampling;
    }

    /**
     * Whether an event belongs to a query that is not measured because the job samples its backlog; false for an
     * unknown service.
     *
     * @param isQueryStart whether {@code startedAtMillis} is the start of the query, by its writer's clock; otherwise
     *     it is the start of a replay or of an invocation, and the query began at most an expiration window before
     */
    boolean isSampledOut(QueryKey key, long startedAtMillis, boolean isQueryStart) {
        if (backlog.isFull()) {
            return false;
        }
        QualitySettings settings = settingsOf.apply(key.service());
        return settings != null
                && backlog.isOut(
                        ConsistentSampling.randomness(key),
                        startedAtMillis
                                - TOMBSTONE_SLACK_MILLIS
                                - (isQueryStart ? 0 : settings.expirationWindowMillis()),
                        startedAtMillis + TOMBSTONE_SLACK_MILLIS);
    }

    /**
     * Schedules a query that the store has kept from an earlier engine. Pass the event time of that engine to
     * {@link #advance} before.
     */
    public void restore(QueryKey key, OpenQuery query) {
        schedule.add(new DueQuery(key, null), query.dueMillis());
        lastSettledMillis = Math.max(lastSettledMillis, query.dueMillis());
    }

    /**
     * Takes one event.
     *
     * @return whether the event's service is known; events of unknown services are ignored
     */
    public boolean accept(SampledEvent event) {
        QueryKey key = event.key();
        QualitySettings settings = settingsOf.apply(key.service());
        if (settings == null) {
            return false;
        }
        if (isSampledOut(key, event.startedAtMillis(), event.isQueryStart())) {
            output.onSampledOut();
            return true;
        }
        Punctuality punctuality = QueryJoin.punctuality(event, settings, eventTimeMillis);
        if (punctuality == Punctuality.LATE) {
            output.onFate(event, JoinResult.LATE);
            return true;
        }
        OpenQuery known = store.find(key);
        boolean isOverdue = punctuality == Punctuality.OVERDUE;
        if (isOverdue && !isAwaited(key, known, event, settings)) {
            output.onOverdue();
            output.onFate(event, JoinResult.LATE);
            return true;
        }
        OpenQuery query = known == null ? new OpenQuery() : known;
        boolean hadBegun = query.hasBegun();
        int unnamedBefore = query.isMeasured() ? query.unnamedResults() : 0;
        // Event time says nothing of a query that waits for events that are overdue.
        long watermarkMillis = isOverdue && !query.isMeasured() ? Long.MIN_VALUE : eventTimeMillis;
        if (!QueryJoin.accept(query, event, settings, watermarkMillis, output)) {
            return true;
        }
        if (query.isMeasured()) {
            output.onUnnamedResults(query.unnamedResults() - unnamedBefore);
        }
        Optional<Measurement> measurement = measured(key, query, settings, false);
        if (measurement.isPresent()) {
            emit(key, measurement.get(), query, settings);
        }
        if (query.isMeasured()) {
            handOver(key, query, measurement);
        }
        if (!hadBegun && query.hasBegun()) {
            output.onBegin(key);
        }
        scheduleCheck(key, query, settings, known == null);
        if (known == null) {
            store.add(key, query);
        }
        return true;
    }

    /** Whether the query of an overdue event is here, or may begin. */
    private boolean isAwaited(QueryKey key, OpenQuery known, SampledEvent event, QualitySettings settings) {
        if (forgotten == null) {
            return false;
        }
        return (known != null && known.hasBegun())
                // The start in another event of the query may have been earlier by the slack.
                || forgotten.neverHad(key, QueryJoin.expiryMillis(event, settings));
    }

    /**
     * Measures a query. If a plugin's function fails, only this query becomes not measurable.
     *
     * @param isExpired whether its window has ended
     */
    private Optional<Measurement> measured(QueryKey key, OpenQuery query, QualitySettings settings, boolean isExpired) {
        try {
            return isExpired
                    ? QueryJoin.measureExpired(key, query, settings, output)
                    : QueryJoin.measureIfComplete(key, query, settings);
        } catch (RuntimeException e) {
            output.onFailure(key, e);
            return Optional.of(QueryJoin.unreadable(key, query, settings));
        }
    }

    private void scheduleCheck(QueryKey key, OpenQuery query, QualitySettings settings, boolean isNew) {
        long settled = query.settledMillis(settings);
        // A query that begins after its window waits for its other events as long as they may come.
        boolean isOver = query.isMeasured() || settled <= eventTimeMillis;
        if (settled + QueryJoin.OVERTIME_MILLIS <= eventTimeMillis && forgotten != null) {
            // From now on: by its own time, it would have been removed already, or soon.
            settled = eventTimeMillis;
        }
        long due = isOver ? settled + TOMBSTONE_SLACK_MILLIS : settled;
        // Both comparisons spare most events a division.
        if (settled > lastSettledMillis) {
            lastSettledMillis = ExpirySchedule.onGrid(settled);
        }
        // Results may arrive before the event with an earlier start.
        if (isNew || ExpirySchedule.isBefore(due, query.dueMillis())) {
            query.setDueMillis(ExpirySchedule.onGrid(due));
            schedule.add(new DueQuery(key, query), query.dueMillis());
        }
    }

    /** Advances event time to {@code millis}, epoch milliseconds; earlier times change nothing. */
    public void advance(long millis) {
        if (millis < eventTimeMillis) {
            return;
        }
        eventTimeMillis = millis;
        for (Map.Entry<Long, List<DueQuery>> second = schedule.poll(millis);
                second != null;
                second = schedule.poll(millis)) {
            for (DueQuery query : second.getValue()) {
                check(query, second.getKey());
            }
        }
    }

    @Override
    public long eventTimeMillis() {
        return eventTimeMillis;
    }

    @Override
    public long nextDueMillis() {
        return schedule.nextMillis();
    }

    @Override
    public long lastSettledMillis() {
        return lastSettledMillis;
    }

    /** Checks a query at its scheduled time: settles it, removes it, or schedules it again. */
    private void check(DueQuery dueQuery, long nowMillis) {
        QueryKey key = dueQuery.key();
        QualitySettings settings = settingsOf.apply(key.service());
        if (settings == null) {
            // The policy was removed, or the one that a checkpoint has cannot be used any more.
            OpenQuery ended = store.find(key);
            if (ended != null && ended.hasBegun() && !ended.isMeasured()) {
                output.onEnd();
            }
            store.forget(key);
            remember(key, nowMillis);
            return;
        }
        OpenQuery query = isFinal(dueQuery.lastSeen()) ? dueQuery.lastSeen() : store.find(key);
        if (query == null) {
            // It was scheduled twice, because an event had an earlier start.
            return;
        }
        long settled = query.settledMillis(settings);
        long forgottenMillis = settled + TOMBSTONE_SLACK_MILLIS;
        if (nowMillis >= settled && !isFinal(query)) {
            settle(key, query, settings);
        }
        if (nowMillis >= forgottenMillis) {
            store.forget(key);
            if (query.hasBegun()) {
                remember(key, nowMillis);
            }
            return;
        }
        // An answer after a partial result may have a later start. The stored time stays, so after
        // a restore one extra check may run.
        schedule.add(dueQuery, ExpirySchedule.onGrid(nowMillis < settled ? settled : forgottenMillis));
    }

    private void remember(QueryKey key, long nowMillis) {
        if (forgotten != null) {
            forgotten.add(key, nowMillis);
        }
    }

    /** Whether a query is measured and awaits no results. Then this does not change any more, nor does its start. */
    private static boolean isFinal(OpenQuery seen) {
        return seen != null && seen.isMeasured() && !seen.holdsResults();
    }

    private void settle(QueryKey key, OpenQuery query, QualitySettings settings) {
        boolean hadBegun = query.hasBegun();
        Optional<Measurement> measurement = measured(key, query, settings, true);
        if (!hadBegun && query.hasBegun()) {
            output.onBegin(key);
        }
        if (measurement.isPresent()) {
            emit(key, measurement.get(), query, settings);
        }
        handOver(key, query, measurement);
        // Missing results of a clean query will not arrive any more.
        query.discardResults();
    }

    /**
     * Hands a measured query over and discards its results: a degraded query at its measurement, a clean query when all
     * its results have arrived, if they ever do.
     */
    private void handOver(QueryKey key, OpenQuery query, Optional<Measurement> measurement) {
        if (!keepsResults) {
            query.discardResults();
        } else if (query.holdsResults() && (query.isDegraded() || query.hasAllResults())) {
            output.onResults(key, query, measurement);
            query.discardResults();
        }
    }

    private void emit(QueryKey key, Measurement measurement, OpenQuery query, QualitySettings settings) {
        long start = query.startedAtMillis();
        // Without its start, the query may have begun at any of several rates; the lowest holds.
        int weight = backlog.weight(
                query.knowsStart() ? start : start - TOMBSTONE_SLACK_MILLIS - settings.expirationWindowMillis(), start);
        // Without a backlog, ids need not be read as numbers.
        if (weight > 1 && !BacklogSampling.isIn(ConsistentSampling.randomness(key), weight)) {
            output.onSampledOutQuery();
            return;
        }
        output.onMeasurement(measurement.ofWeight(weight), QueryJoin.measuredBeforeMillis(measurement, settings));
        output.onUnnamedResults(query.unnamedResults());
        if (measurement.completeness() == Completeness.COMPLETE) {
            long online = query.answeredAtMillis() - start;
            output.onTimes(online, Math.max(online, query.matureMillis(measurement.measuredAtMillis())));
        }
    }
}
