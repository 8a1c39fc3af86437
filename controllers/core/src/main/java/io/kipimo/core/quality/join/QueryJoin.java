package io.kipimo.core.quality.join;

import io.kipimo.core.quality.merge.MergeCheck;
import io.kipimo.core.quality.merge.MergeCheck.InTimeResult;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentResult;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QueryKey;
import io.kipimo.schemas.quality.SampledEvent;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The rules of the join of one query's answer with its partial results. {@link JoinEngine} applies them:
 * {@link #accept} at every event, {@link #measureIfComplete} after it, {@link #measureExpired} when event time passes
 * {@link OpenQuery#settledMillis}. Each query gives exactly one measurement.
 *
 * <p>Whether an event is late follows from the log alone, never from the order in which partitions are read. An event
 * is late if
 *
 * <ul>
 *   <li>it happened after the end of its query's window; or
 *   <li>its partition had passed this end, by more than the out-of-orderness, when it was appended; or
 *   <li>it was appended after this end by more than the out-of-orderness, to a partition that had been silent, while
 *       other events of its query came in time.
 * </ul>
 *
 * <p>The watermark is no later than what any partition with events has reached. So when it ends a window, all events in
 * time have been read; {@link SampledEvent#NO_LOG Without a log}, the watermark at the time of reading decides. A
 * measurement follows from the answer and from the final result of each component that it asked, not from other results
 * that had arrived by then. Of several results of one component in one phase the first in the partition counts.
 *
 * <p>An event is held while something is unknown on which it depends: the start of its query, or whether other events
 * of its query came in time. If this is still unknown at the end of its window, the event is late. A query that was
 * measured and removed must not begin again. So if the watermark is beyond its window by more than
 * {@link #OVERTIME_MILLIS}, an event is late unless {@link ForgottenQueries} proves that its query was never there.
 */
final class QueryJoin {
    /** Greatest time by which a joined event may be ahead of the watermark. */
    static final long LONGEST_LEAD_MILLIS = 60_000;

    /**
     * Longest time after the end of its window, in event time, at which an event may begin a query. Until then the join
     * keeps a tombstone of each removed query, even if the starts in its events differ by the rest of the slack.
     */
    static final long OVERTIME_MILLIS = JoinEngine.TOMBSTONE_SLACK_MILLIS / 2;

    private QueryJoin() {}

    /** End of the query's expiration window, epoch milliseconds of event time. */
    static long expiryMillis(OpenQuery query, QualitySettings settings) {
        return query.startedAtMillis() + settings.expirationWindowMillis();
    }

    /**
     * Event time such that all queries of the subtask that started before it have been measured before this
     * measurement. Such a time exists because a query is measured at the latest when event time passes the end of its
     * window. An expired query is measured at that end. A query that a failed component ended early may be ahead of the
     * watermark.
     */
    static long measuredBeforeMillis(Measurement measurement, QualitySettings settings) {
        boolean early =
                measurement.measuredAtMillis() < measurement.startedAtMillis() + settings.expirationWindowMillis();
        return measurement.measuredAtMillis() - settings.expirationWindowMillis() - (early ? LONGEST_LEAD_MILLIS : 0);
    }

    /** End of the window, from the start that an event states; epoch milliseconds of event time. */
    static long expiryMillis(SampledEvent event, QualitySettings settings) {
        return event.startedAtMillis() + settings.expirationWindowMillis();
    }

    /** Tells whether an event is in time, without the state of its query. */
    enum Punctuality {
        IN_TIME,
        /**
         * The event is in time by the log, but was read so long after its window that its query may have been measured
         * and removed. It must not begin such a query again.
         */
        OVERDUE,
        /** The event happened after its query's window, or when the window had passed. The query has finished. */
        LATE
    }

    static Punctuality punctuality(SampledEvent event, QualitySettings settings, long watermarkMillis) {
        long expiry = expiryMillis(event, settings);
        if (event.eventTimeMillis() > expiry
                || expiry <= event.watermarkMillis()
                || (!isFromLog(event) && expiry <= watermarkMillis)) {
            return Punctuality.LATE;
        }
        // Without a log, such an event is late.
        return expiry + OVERTIME_MILLIS <= watermarkMillis ? Punctuality.OVERDUE : Punctuality.IN_TIME;
    }

    private static boolean isFromLog(SampledEvent event) {
        return event.watermarkMillis() != SampledEvent.NO_LOG;
    }

    /**
     * Applies one event, which is not late by itself, to the query's state.
     *
     * @param results receives the result of the event, and of held events that it decides; the result of a held event
     *     comes with a later event or {@link #measureExpired}
     * @return whether the state changed
     */
    static boolean accept(
            OpenQuery query,
            SampledEvent event,
            QualitySettings settings,
            long watermarkMillis,
            JoinResult.Listener results) {
        if (isUndecided(query, event, settings)) {
            if (query.holds(event)) {
                results.onFate(event, JoinResult.DUPLICATE);
                return false;
            }
            query.hold(event, mayBegin(event, watermarkMillis));
            return true;
        }
        JoinResult result = join(query, event, settings, watermarkMillis);
        results.onFate(event, result);
        // Few queries hold events, and an iterator of none would be garbage for every event.
        if (result == JoinResult.JOINED && query.holdsEvents()) {
            for (SampledEvent held : query.release()) {
                if (isUndecided(query, held, settings)) {
                    query.hold(held, false);
                } else {
                    results.onFate(held, join(query, held, settings, watermarkMillis));
                }
            }
        }
        return result == JoinResult.JOINED;
    }

    private static boolean isUndecided(OpenQuery query, SampledEvent event, QualitySettings settings) {
        if (!query.hasBegun() && !event.isQueryStart()) {
            return true;
        }
        // Nothing settles what a measured query holds.
        return !event.isAnswer()
                && !query.measured
                && !query.answered
                && !query.inTime
                && isAppendedAfterSilence(query, event, settings);
    }

    /** Whether an event came after the window of its query to a partition that had been silent. */
    private static boolean isAppendedAfterSilence(OpenQuery query, SampledEvent event, QualitySettings settings) {
        return !event.isProven() && expiryMillis(query, event, settings) <= event.appendWatermarkMillis();
    }

    private static long expiryMillis(OpenQuery query, SampledEvent event, QualitySettings settings) {
        return query.hasBegun() ? expiryMillis(query, settings) : expiryMillis(event, settings);
    }

    private static JoinResult join(
            OpenQuery query, SampledEvent event, QualitySettings settings, long watermarkMillis) {
        long expiry = expiryMillis(query, event, settings);
        if (event.eventTimeMillis() > expiry
                || expiry <= event.watermarkMillis()
                || (query.inTime && isAppendedAfterSilence(query, event, settings))) {
            return JoinResult.LATE;
        }
        if (isKnown(query, event)) {
            return JoinResult.DUPLICATE;
        }
        // A query that was measured before the end of its window awaits nothing more.
        if (query.measured && expiry <= watermarkMillis) {
            return JoinResult.LATE;
        }
        query.take(event);
        query.inTime |= isFromLog(event) && event.appendWatermarkMillis() < expiry;
        return JoinResult.JOINED;
    }

    /** Whether a held event alone, without later events, shows that its query was not removed. */
    private static boolean mayBegin(SampledEvent event, long watermarkMillis) {
        if (event.isAnswer()) {
            return false;
        }
        // A result in the answer was complete within the window, which ended within the slack.
        return event.knowsStart()
                || (event.phase() == Phase.ONLINE
                        && event.eventTimeMillis() + JoinEngine.TOMBSTONE_SLACK_MILLIS
                                > Math.max(watermarkMillis, event.watermarkMillis()));
    }

    /** Decides the held events at the end of the window, when no further event can decide them. */
    private static void settleHeld(OpenQuery query, QualitySettings settings, JoinResult.Listener results) {
        boolean begins = query.hasBegun() || query.heldMayBegin;
        List<SampledEvent> held = query.release();
        // What came in time decides over what came after a silence, and what tells the start or may
        // begin the query over what needs one that has begun.
        if (held.size() > 1) {
            held.sort(Comparator.comparing((SampledEvent event) -> isAppendedAfterSilence(query, event, settings))
                    .thenComparing(event -> !event.isQueryStart())
                    .thenComparing(event -> !mayBegin(event, Long.MIN_VALUE)));
        }
        for (SampledEvent event : held) {
            results.onFate(
                    event,
                    begins && (query.hasBegun() || mayBegin(event, Long.MIN_VALUE))
                            ? join(query, event, settings, Long.MIN_VALUE)
                            : JoinResult.LATE);
        }
    }

    private static boolean isKnown(OpenQuery query, SampledEvent event) {
        if (!event.isAnswer()) {
            return query.has(query.placeOf(event.component()), event.phase());
        }
        if (event.answerFields().kind() == AnswerKind.ONLINE) {
            return query.answered;
        }
        return OpenQuery.isMature(event) ? query.replayed : query.replayFailed;
    }

    /**
     * The measurement, if everything that can arrive has arrived; it leaves a tombstone.
     *
     * @return empty while something is awaited, and for measured queries
     */
    static Optional<Measurement> measureIfComplete(QueryKey key, OpenQuery query, QualitySettings settings) {
        if (query.measured || !query.answered) {
            return Optional.empty();
        }
        Unmeasurable reason = query.whyUnmeasurable();
        // A replay can measure an answer that names no components.
        if (reason != null
                && (settings.mergesPartials() || reason != Unmeasurable.NO_COMPONENTS || query.invoked() > 0)) {
            return Optional.of(unmeasurable(key, query, settings));
        }
        if (reason == null && !query.isDegraded()) {
            return Optional.of(measured(query, Measuring.clean(key, query, settings)));
        }
        if (!settings.mergesPartials()) {
            return query.replayed
                    ? Optional.of(measured(
                            query,
                            Measuring.replayed(
                                    key, query, settings, Math.max(query.answeredAtMillis, query.replayedAtMillis))))
                    : Optional.empty();
        }
        if (query.awaitsResult()) {
            return Optional.empty();
        }
        return Optional.of(merged(
                key,
                query,
                settings,
                query.isAnyFailed() ? Completeness.EXPIRED : Completeness.COMPLETE,
                lastNeededMillis(query)));
    }

    /** The measurement by the policy's merge, unless the answer's own items contradict it. */
    private static Measurement merged(
            QueryKey key, OpenQuery query, QualitySettings settings, Completeness completeness, long measuredAtMillis) {
        OptionalInt topK = agreedTopK(query, settings);
        if (topK.isEmpty()) {
            query.unmeasurable = Unmeasurable.MERGE_DIFFERS;
            return unmeasurable(key, query, settings);
        }
        query.topK = topK.getAsInt();
        return measured(query, Measuring.merged(key, query, settings, completeness, measuredAtMillis));
    }

    /** {@link MergeCheck#agreedTopK} of the query; the stated size if it lacks items or in-time results to compare. */
    private static OptionalInt agreedTopK(OpenQuery query, QualitySettings settings) {
        OptionalInt asStated = OptionalInt.of(Measuring.topK(query, settings));
        if (query.answerItems.isEmpty()) {
            return asStated;
        }
        List<InTimeResult> inTime = new ArrayList<>(query.invoked());
        for (int place = 0; place < query.invoked(); place++) {
            if (query.outcome(place) == Outcome.IN_TIME) {
                ComponentResult result = query.finalResult(place);
                if (result == null) {
                    return asStated;
                }
                inTime.add(new InTimeResult(query.component(place), result.items(), result.isTruncated()));
            }
        }
        return MergeCheck.agreedTopK(
                settings.mergePolicy(), asStated.getAsInt(), query.answerItems, query.truncated, inTime);
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
        if (query.holdsEvents()) {
            settleHeld(query, settings, results);
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
                settings.mergesPartials()
                        ? merged(key, query, settings, Completeness.EXPIRED, expiry)
                        : measured(query, Measuring.neverReplayed(key, query, settings, expiry)));
    }

    /** The measurement of a query whose results cannot be compared. */
    static Measurement unreadable(QueryKey key, OpenQuery query, QualitySettings settings) {
        query.unmeasurable = Unmeasurable.UNREADABLE;
        return unmeasurable(key, query, settings);
    }

    private static Measurement unmeasurable(QueryKey key, OpenQuery query, QualitySettings settings) {
        Measurement measurement = measured(query, Measuring.unmeasurable(key, query, settings));
        query.discardResults();
        return measurement;
    }

    private static Measurement measured(OpenQuery query, Measurement measurement) {
        query.markMeasured();
        return measurement;
    }

    /** The phase of a component's final result; null if no result of the component counts. */
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
