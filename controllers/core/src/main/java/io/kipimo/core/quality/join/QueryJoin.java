package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QueryEvent;
import java.util.List;
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
            QueryEvent event, QualitySettings settings, long watermarkMillis) {
        long expiry = event.startedAtMillis() + settings.expirationWindowMillis();
        return event.eventTimeMillis() > expiry || expiry <= watermarkMillis;
    }

    /** Takes one event, which is not late by itself, into the query's state if that is its fate. */
    public static EventFate accept(OpenQuery query, QueryEvent event, QualitySettings settings) {
        if (isKnown(query, event)) {
            return EventFate.DUPLICATE;
        }
        boolean isFirst =
                query.online == null && query.replayed == null && query.partials.isEmpty();
        if (!isFirst && event.eventTimeMillis() > expiryMillis(query, settings)) {
            return EventFate.LATE;
        }
        if (query.measured && !isHarmlessAfterMeasurement(query, event)) {
            return EventFate.LATE;
        }
        if (event.isAnswer()) {
            if (event.answer().kind() == AnswerKind.ONLINE) {
                query.online = event.answer();
            } else {
                query.replayed = event.answer();
            }
        } else {
            query.partials.add(event.partial());
            query.earliestInvocationMillis =
                    Math.min(query.earliestInvocationMillis, event.startedAtMillis());
        }
        if (query.measured) {
            query.bury();
        }
        return EventFate.JOINED;
    }

    private static boolean isKnown(OpenQuery query, QueryEvent event) {
        if (!event.isAnswer()) {
            return query.has(event.partial().component(), event.partial().phase());
        }
        return event.answer().kind() == AnswerKind.ONLINE
                ? query.online != null
                : query.replayed != null;
    }

    /**
     * An in-time result of a query that was measured without it, since nothing timed out, changes
     * nothing.
     */
    private static boolean isHarmlessAfterMeasurement(OpenQuery query, QueryEvent event) {
        if (event.isAnswer() || event.partial().phase() != Phase.ONLINE) {
            return false;
        }
        Invocation invocation = query.invocation(event.partial().component());
        return invocation != null && invocation.outcome() == Outcome.IN_TIME;
    }

    /**
     * The measurement, if all that can come has come; the query is buried then.
     *
     * @return empty while something is awaited, and for queries that are measured already
     */
    public static Optional<Measurement> measureIfComplete(
            OpenQuery query, QualitySettings settings) {
        if (query.measured || query.online == null) {
            return Optional.empty();
        }
        Answer answer = query.online;
        if (!answer.isDegraded()) {
            return Optional.of(bury(query, Measuring.clean(query, settings)));
        }
        if (settings.mergesPartials()) {
            for (Invocation invocation : answer.invocations()) {
                if (isAwaited(query, invocation)) {
                    return Optional.empty();
                }
            }
            boolean failed =
                    answer.invocations().stream().anyMatch(i -> i.outcome() == Outcome.FAILED);
            return Optional.of(
                    bury(
                            query,
                            Measuring.merged(
                                    query,
                                    settings,
                                    failed ? Completeness.EXPIRED : Completeness.COMPLETE,
                                    lastNeededMillis(query))));
        }
        if (query.replayed == null) {
            return Optional.empty();
        }
        return Optional.of(
                bury(
                        query,
                        Measuring.replayed(
                                query,
                                settings,
                                Math.max(
                                        answer.answeredAtMillis(),
                                        query.replayed.answeredAtMillis()))));
    }

    /**
     * The measurement of a query whose expiration window has ended: EXPIRED with its low end at 0,
     * which {@link ContributionHistory} raises by what the missing components usually give; or
     * ORPHAN.
     *
     * @return empty for queries that are measured already
     */
    public static Optional<Measurement> measureExpired(OpenQuery query, QualitySettings settings) {
        if (query.measured) {
            return Optional.empty();
        }
        long expiry = expiryMillis(query, settings);
        if (query.online == null) {
            return Optional.of(bury(query, Measuring.orphan(query, expiry)));
        }
        return Optional.of(
                bury(
                        query,
                        settings.mergesPartials()
                                ? Measuring.merged(query, settings, Completeness.EXPIRED, expiry)
                                : Measuring.neverReplayed(query, settings, expiry)));
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

    static boolean isAwaited(OpenQuery query, Invocation invocation) {
        Phase phase = finalPhase(invocation.outcome());
        return phase != null && !query.has(invocation.component(), phase);
    }

    private static long lastNeededMillis(OpenQuery query) {
        long last = query.online.answeredAtMillis();
        List<PartialResult> partials = query.partials;
        for (PartialResult partial : partials) {
            Invocation invocation = query.invocation(partial.component());
            if (invocation != null && finalPhase(invocation.outcome()) == partial.phase()) {
                last = Math.max(last, partial.completedAtMillis());
            }
        }
        return last;
    }
}
