package io.kipimo.core.quality.join;

import io.kipimo.schemas.codec.SampledEvent;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QueryKey;
import java.util.Optional;

/**
 * The join of one query's answer with its partial results. The caller owns the state and the
 * timers: it calls {@link #accept} for every event, {@link #measureIfComplete} after those that
 * joined, and {@link #measureExpired} when event time passes {@link #expiryMillis}. Exactly one
 * measurement comes out of a query.
 *
 * <p>What an event is does not depend on the order of arrival as long as the disorder stays within
 * what the watermark allows: lateness is judged by the event's own times against the expiration
 * window, not by when it was read.
 */
public final class QueryJoin {
    private QueryJoin() {}

    /** End of the query's expiration window, epoch milliseconds of event time. */
    public static long expiryMillis(OpenQuery query, QualitySettings settings) {
        return query.startedAtMillis() + settings.expirationWindowMillis();
    }

    /**
     * Whether an event is late on its own evidence, before any state is looked at: it happened
     * after the expiration window of the query, or that window has passed. Without this check it
     * would re-open a finished query.
     */
    public static boolean isLateByItself(
            SampledEvent event, QualitySettings settings, long watermarkMillis) {
        long expiry = event.startedAtMillis() + settings.expirationWindowMillis();
        return event.eventTimeMillis() > expiry || expiry <= watermarkMillis;
    }

    /** Takes one event, which is not late by itself, into the query's state if that is its fate. */
    public static EventFate accept(OpenQuery query, SampledEvent event, QualitySettings settings) {
        int place = event.isAnswer() ? -1 : query.placeOf(event.component());
        if (isKnown(query, event, place)) {
            return EventFate.DUPLICATE;
        }
        if (!query.isNew() && event.eventTimeMillis() > expiryMillis(query, settings)) {
            return EventFate.LATE;
        }
        if (query.measured && !isHarmlessAfterMeasurement(query, event, place)) {
            return EventFate.LATE;
        }
        query.take(event);
        return EventFate.JOINED;
    }

    private static boolean isKnown(OpenQuery query, SampledEvent event, int place) {
        if (!event.isAnswer()) {
            return query.has(place, event.phase());
        }
        return event.kind() == AnswerKind.ONLINE ? query.answered : query.replayed;
    }

    /**
     * An in-time result of a query that was measured without it, since nothing timed out, changes
     * nothing.
     */
    private static boolean isHarmlessAfterMeasurement(
            OpenQuery query, SampledEvent event, int place) {
        return !event.isAnswer()
                && event.phase() == Phase.ONLINE
                && query.outcome(place) == Outcome.IN_TIME;
    }

    /**
     * The measurement, if all that can come has come; the query is buried then.
     *
     * @return empty while something is awaited, and for queries that are measured already
     */
    public static Optional<Measurement> measureIfComplete(
            QueryKey key, OpenQuery query, QualitySettings settings) {
        if (query.measured || !query.answered) {
            return Optional.empty();
        }
        if (!query.isDegraded()) {
            return Optional.of(bury(query, Measuring.clean(key, query, settings)));
        }
        if (!settings.mergesPartials()) {
            return query.replayed
                    ? Optional.of(
                            bury(
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
        boolean failed = false;
        for (int place = 0; place < query.invoked(); place++) {
            Phase phase = finalPhase(query.outcome(place));
            if (phase == null) {
                failed = true;
            } else if (!query.has(place, phase)) {
                return Optional.empty();
            }
        }
        return Optional.of(
                bury(
                        query,
                        Measuring.merged(
                                key,
                                query,
                                settings,
                                failed ? Completeness.EXPIRED : Completeness.COMPLETE,
                                lastNeededMillis(query))));
    }

    /**
     * The measurement of a query whose expiration window has ended: EXPIRED with its low end at 0,
     * which {@link ContributionHistory} raises by what the missing components usually give; or
     * ORPHAN.
     *
     * @return empty for queries that are measured already
     */
    public static Optional<Measurement> measureExpired(
            QueryKey key, OpenQuery query, QualitySettings settings) {
        if (query.measured) {
            return Optional.empty();
        }
        long expiry = expiryMillis(query, settings);
        if (!query.answered) {
            return Optional.of(bury(query, Measuring.orphan(key, query, expiry)));
        }
        return Optional.of(
                bury(
                        query,
                        settings.mergesPartials()
                                ? Measuring.merged(
                                        key, query, settings, Completeness.EXPIRED, expiry)
                                : Measuring.neverReplayed(key, query, settings, expiry)));
    }

    private static Measurement bury(OpenQuery query, Measurement measurement) {
        query.bury();
        return measurement;
    }

    /** The phase in which a component's final result comes; null for one that failed. */
    static Phase finalPhase(Outcome outcome) {
        return switch (outcome) {
            case IN_TIME -> Phase.ONLINE;
            case TIMED_OUT -> Phase.MATURE;
            case FAILED -> null;
        };
    }

    private static long lastNeededMillis(OpenQuery query) {
        long last = query.answeredAtMillis;
        for (int place = 0; place < query.invoked(); place++) {
            Phase phase = finalPhase(query.outcome(place));
            Result result = phase == null ? null : query.result(place, phase);
            if (result != null) {
                last = Math.max(last, result.completedAtMillis());
            }
        }
        return last;
    }
}
