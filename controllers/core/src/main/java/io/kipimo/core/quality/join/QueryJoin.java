package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentResult;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QueryKey;
import io.kipimo.schemas.quality.SampledEvent;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.Optional;

/**
 * The rules of the join of one query's answer with its partial results. {@link JoinEngine} applies
 * them: {@link #accept} at every event, {@link #measureIfComplete} after it, {@link
 * #measureExpired} when event time passes {@link #settledMillis}. Each query gives exactly one
 * measurement.
 *
 * <p>The result of an event does not depend on the order of arrival, as long as the disorder stays
 * within the watermark's bound: lateness follows from the event's own times and the expiration
 * window, not from the time of reading. A measurement follows from the answer and from the final
 * result of each component that it asked, not from other results that had arrived by then.
 *
 * <p>A query that was measured and removed must not begin again. An event that contains the start
 * of such a query is late by its own times. A result without the start may belong to a query that
 * started long before the component was invoked (a retry, a hedge, a queue). So it begins a query
 * only if it was in the answer and is so recent that the query cannot have been removed yet. All
 * other such results are held until an event shows that the query is open, and are late if none
 * does.
 */
final class QueryJoin {
    /** Most that a joined event may be ahead of the watermark. */
    private static final long LONGEST_LEAD_MILLIS = 60_000;

    private QueryJoin() {}

    /** End of the query's expiration window, epoch milliseconds of event time. */
    static long expiryMillis(OpenQuery query, QualitySettings settings) {
        return query.startedAtMillis() + settings.expirationWindowMillis();
    }

    /**
     * When no event can join any more, epoch milliseconds of event time: the end of the expiration
     * window. While the start is unknown, the window begins with the earliest event, since the
     * query had started by then.
     */
    static long settledMillis(OpenQuery query, QualitySettings settings) {
        return (query.knowsStart() ? query.startedAtMillis() : query.earliestEventMillis)
                + settings.expirationWindowMillis();
    }

    /**
     * Event time before which every query of the measurement's subtask was measured by the time of
     * this measurement: queries are measured before event time passes the ends of their windows. An
     * expired query is measured at that end; a query that a failed component ended early may be
     * ahead of the watermark.
     */
    static long measuredBeforeMillis(Measurement measurement, QualitySettings settings) {
        boolean early =
                measurement.measuredAtMillis()
                        < measurement.startedAtMillis() + settings.expirationWindowMillis();
        return measurement.measuredAtMillis()
                - settings.expirationWindowMillis()
                - (early ? LONGEST_LEAD_MILLIS : 0);
    }

    /**
     * Whether an event is late by its own times, without any state: it happened after the
     * expiration window of the query, or that window has passed. Without this check it would
     * re-open a finished query.
     */
    static boolean isLateByItself(
            SampledEvent event, QualitySettings settings, long watermarkMillis) {
        long expiry = event.startedAtMillis() + settings.expirationWindowMillis();
        return event.eventTimeMillis() > expiry || expiry <= watermarkMillis;
    }

    /**
     * Applies one event, which is not late by its own times, to the query's state.
     *
     * @param results receives the result of the event, and of held events that it shows to be part
     *     of an open query; the result of a held event comes with a later event or {@link
     *     #measureExpired}
     * @return whether the state changed
     */
    static boolean accept(
            OpenQuery query,
            SampledEvent event,
            QualitySettings settings,
            long watermarkMillis,
            JoinResult.Listener results) {
        if (!query.hasBegun() && !mayBegin(event, watermarkMillis)) {
            if (query.holds(event)) {
                results.onFate(event, JoinResult.DUPLICATE);
                return false;
            }
            query.hold(event);
            return true;
        }
        JoinResult result = join(query, event, settings, watermarkMillis);
        results.onFate(event, result);
        // Few queries hold events, and an iterator of none would be garbage for every event.
        if (query.holdsEvents()) {
            for (SampledEvent held : query.release()) {
                results.onFate(held, join(query, held, settings, watermarkMillis));
            }
        }
        return result == JoinResult.JOINED;
    }

    private static JoinResult join(
            OpenQuery query, SampledEvent event, QualitySettings settings, long watermarkMillis) {
        if (query.hasBegun() && event.eventTimeMillis() > expiryMillis(query, settings)) {
            return JoinResult.LATE;
        }
        if (isKnown(query, event)) {
            return JoinResult.DUPLICATE;
        }
        // A query that was measured before the end of its window awaits nothing more.
        if (query.measured && expiryMillis(query, settings) <= watermarkMillis) {
            return JoinResult.LATE;
        }
        query.take(event);
        return JoinResult.JOINED;
    }

    /** Whether an event without a known query shows that its query was not removed. */
    private static boolean mayBegin(SampledEvent event, long watermarkMillis) {
        if (event.isAnswer()) {
            // A replay's start is its own.
            return event.kind() == AnswerKind.ONLINE;
        }
        // A result in the answer was complete within the window, which ended within the slack.
        return event.knowsStart()
                || (event.phase() == Phase.ONLINE
                        && event.eventTimeMillis() + JoinEngine.TOMBSTONE_SLACK_MILLIS
                                > watermarkMillis);
    }

    private static boolean isKnown(OpenQuery query, SampledEvent event) {
        if (!event.isAnswer()) {
            return query.has(query.placeOf(event.component()), event.phase());
        }
        if (event.kind() == AnswerKind.ONLINE) {
            return query.answered;
        }
        return OpenQuery.isMature(event) ? query.replayed : query.replayFailed;
    }

    /**
     * The measurement, if everything that can arrive has arrived; it leaves a tombstone.
     *
     * @return empty while something is awaited, and for measured queries
     */
    static Optional<Measurement> measureIfComplete(
            QueryKey key, OpenQuery query, QualitySettings settings) {
        if (query.measured || !query.answered) {
            return Optional.empty();
        }
        Unmeasurable reason = query.whyUnmeasurable();
        // A replay can measure an answer that names no components.
        if (reason != null
                && (settings.mergesPartials()
                        || reason != Unmeasurable.NO_COMPONENTS
                        || query.invoked() > 0)) {
            return Optional.of(unmeasurable(key, query, settings));
        }
        if (reason == null && !query.isDegraded()) {
            return Optional.of(measured(query, Measuring.clean(key, query, settings)));
        }
        if (!settings.mergesPartials()) {
            return query.replayed
                    ? Optional.of(
                            measured(
                                    query,
                                    Measuring.replayed(
                                            key,
                                            query,
                                            settings,
                                            Math.max(
                                                    query.answeredAtMillis,
                                                    query.replayedAtMillis))))
                    : Optional.empty();
        }
        if (query.awaitsResult()) {
            return Optional.empty();
        }
        return Optional.of(
                measured(
                        query,
                        Measuring.merged(
                                key,
                                query,
                                settings,
                                query.isAnyFailed() ? Completeness.EXPIRED : Completeness.COMPLETE,
                                lastNeededMillis(query))));
    }

    /**
     * The measurement of a query whose expiration window has ended: EXPIRED with low end 0, which
     * {@link ContributionBounds} raises; ORPHAN; or NOT_MEASURABLE.
     *
     * @param results receives the results of the held events
     * @return empty for measured queries, and if no event showed that the query was open
     */
    static Optional<Measurement> measureExpired(
            QueryKey key, OpenQuery query, QualitySettings settings, JoinResult.Listener results) {
        for (SampledEvent held : query.release()) {
            results.onFate(held, JoinResult.LATE);
        }
        if (query.measured || !query.hasBegun()) {
            return Optional.empty();
        }
        long expiry = expiryMillis(query, settings);
        if (!query.answered) {
            return Optional.of(measured(query, Measuring.orphan(key, query, expiry)));
        }
        if (query.whyUnmeasurable() != null) {
            return Optional.of(unmeasurable(key, query, settings));
        }
        return Optional.of(
                measured(
                        query,
                        settings.mergesPartials()
                                ? Measuring.merged(
                                        key, query, settings, Completeness.EXPIRED, expiry)
                                : Measuring.neverReplayed(key, query, settings, expiry)));
    }

    /** The measurement of a query whose results cannot be compared. */
    static Measurement unreadable(QueryKey key, OpenQuery query, QualitySettings settings) {
        query.unmeasurable = Unmeasurable.UNREADABLE;
        return unmeasurable(key, query, settings);
    }

    private static Measurement unmeasurable(
            QueryKey key, OpenQuery query, QualitySettings settings) {
        Measurement measurement = measured(query, Measuring.unmeasurable(key, query, settings));
        query.discardResults();
        return measurement;
    }

    private static Measurement measured(OpenQuery query, Measurement measurement) {
        query.markMeasured();
        return measurement;
    }

    /** The phase in which a component's final result comes; null: none comes, or none counts. */
    static Phase finalPhase(Outcome outcome) {
        return switch (outcome) {
            case IN_TIME -> Phase.ONLINE;
            case TIMED_OUT -> Phase.MATURE;
            case FAILED, NOT_ASKED -> null;
        };
    }

    private static long lastNeededMillis(OpenQuery query) {
        long last = query.answeredAtMillis;
        for (int place = 0; place < query.invoked(); place++) {
            ComponentResult result = query.finalResult(place);
            if (result != null) {
                last = Math.max(last, result.eventTimeMillis());
            }
        }
        return last;
    }
}
