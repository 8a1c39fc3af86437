package io.kipimo.core.quality.join;

import static io.kipimo.core.quality.join.Events.KEY;
import static io.kipimo.core.quality.join.Events.START;
import static io.kipimo.core.quality.join.Events.WINDOW;
import static io.kipimo.core.quality.join.Events.answer;
import static io.kipimo.core.quality.join.Events.event;
import static io.kipimo.core.quality.join.Events.failed;
import static io.kipimo.core.quality.join.Events.inTime;
import static io.kipimo.core.quality.join.Events.items;
import static io.kipimo.core.quality.join.Events.mature;
import static io.kipimo.core.quality.join.Events.online;
import static io.kipimo.core.quality.join.Events.partial;
import static io.kipimo.core.quality.join.Events.timedOut;
import static io.kipimo.core.quality.join.Events.unmeasurable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.quality.join.QueryJoin.Punctuality;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QueryJoinTest {
    private final QualitySettings settings = QualitySettings.of(Events.policy());
    private final OpenQuery query = new OpenQuery();

    private Optional<Measurement> take(LoggedEvent event) {
        assertThat(Events.accept(query, event, settings)).isIn(JoinResult.JOINED, null);
        return QueryJoin.measureIfComplete(KEY, query, settings);
    }

    private static ComponentShare share(Measurement measurement, String component) {
        return measurement.components().stream()
                .filter(c -> c.component().equals(component))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anAnswerInWhichNothingTimedOutHasQualityOneAtOnceAndNeedsNoPartialResult() {
        Measurement measurement = take(answer(inTime("a"), inTime("b"))).orElseThrow();

        assertThat(measurement.completeness()).isEqualTo(Completeness.COMPLETE);
        assertThat(measurement.degraded()).isFalse();
        assertThat(measurement.measuredAtMillis()).isEqualTo(START + 30);
        assertThat(measurement.scores())
                .allMatch(s -> s.low() == 1 && s.high() == 1)
                .hasSize(2);
    }

    @Test
    void anAnswerIsMeasuredWhenTheLastOfItsComponentsIsIn() {
        assertThat(take(answer(inTime("a"), timedOut("b")))).isEmpty();
        assertThat(take(online("a", 1, 3, 5, 7))).isEmpty();
        // Mature top 4: 1 2 3 4; online top 4: 1 3 5 7.
        Measurement measurement = take(mature("b", 2, 4, 6, 8)).orElseThrow();

        assertThat(measurement.completeness()).isEqualTo(Completeness.COMPLETE);
        assertThat(measurement.degraded()).isTrue();
        assertThat(measurement.scores().get(0).low()).isEqualTo(0.5);
        assertThat(measurement.scores().get(0).high()).isEqualTo(0.5);
        assertThat(measurement.measuredAtMillis()).isEqualTo(START + 200);
        assertThat(share(measurement, "b").lostQuality()).isCloseTo(0.5, within(1e-12));
        assertThat(share(measurement, "b").contribution()).isEqualTo(0.5);
        assertThat(share(measurement, "b").latencyMicros()).isEqualTo(200_000);
        assertThat(share(measurement, "a").lostQuality()).isZero();
    }

    /** By the default merge, 1 3 5 7 of a and 2 4 6 8 of c give 1 2 3 4; ranks that are fused give others. */
    private Optional<Measurement> takeDegraded(long... answered) {
        take(answer(AnswerKind.ONLINE, items(answered), START + 30, inTime("a"), inTime("c"), timedOut("b")));
        take(online("a", 1, 3, 5, 7));
        take(online("c", 2, 4, 6, 8));
        return take(mature("b", 9, 10));
    }

    @Test
    void aDegradedAnswerThatIsNotTheMergeOfItsInTimeResultsIsNotMeasured() {
        Measurement measurement = takeDegraded(1, 2, 7, 8).orElseThrow();

        assertThat(measurement.completeness()).isEqualTo(Completeness.NOT_MEASURABLE);
        assertThat(measurement.unmeasurable()).contains(Unmeasurable.MERGE_DIFFERS);
        assertThat(measurement.degraded()).isTrue();
        assertThat(measurement.scores()).isEmpty();
        assertThat(query.holdsResults()).isFalse();
    }

    @Test
    void aDegradedAnswerThatIsTheMergeIsMeasuredAsWithoutItems() {
        assertThat(takeDegraded(1, 2, 3, 4).orElseThrow().scores()).allMatch(s -> s.high() == 1);
    }

    @Test
    void anAnswerThatIsShorterThanTheMergeTellsItsSize() {
        assertThat(takeDegraded(1, 2).orElseThrow().topK()).isEqualTo(2);
    }

    @Test
    void anExpiredAnswerThatIsNotTheMergeIsNotMeasuredEither() {
        take(answer(AnswerKind.ONLINE, items(9), START + 30, inTime("a"), timedOut("b")));
        take(online("a", 1, 3));

        assertThat(Events.expire(KEY, query, settings).orElseThrow().unmeasurable())
                .contains(Unmeasurable.MERGE_DIFFERS);
    }

    @Test
    void withoutAllInTimeResultsItemsShowNothing() {
        take(answer(AnswerKind.ONLINE, items(9), START + 30, inTime("a"), inTime("c"), timedOut("b")));
        take(online("a", 1, 3));

        assertThat(Events.expire(KEY, query, settings).orElseThrow().completeness())
                .isEqualTo(Completeness.EXPIRED);
    }

    @Test
    void theAnswerEventMayComeLast() {
        assertThat(take(mature("b", 2, 4))).isEmpty();
        assertThat(take(online("a", 1, 3))).isEmpty();
        assertThat(take(answer(inTime("a"), timedOut("b")))).isPresent();
    }

    /** An inner join of online and mature would drop what a component without an online part returned late. */
    @Test
    void resultsOfATimedOutComponentCountAgainstTheAnswer() {
        take(answer(timedOut("a"), timedOut("b")));
        take(mature("a", 1, 2));
        Measurement measurement = take(mature("b", 3, 4)).orElseThrow();

        assertThat(measurement.scores().get(0).high()).isZero();
        assertThat(share(measurement, "a").lostQuality()
                        + share(measurement, "b").lostQuality())
                .isCloseTo(1, within(1e-9));
    }

    @Test
    void anItemThatTwoComponentsReturnCountsOnce() {
        take(answer(inTime("a"), timedOut("b")));
        take(online("a", 1, 2, 3, 4));
        Measurement measurement = take(mature("b", 1, 2, 3, 4)).orElseThrow();

        assertThat(measurement.scores()).allMatch(s -> s.high() == 1);
    }

    @Test
    void missingResultsAtTheEndOfTheWindowMakeTheQualityAnInterval() {
        take(answer(inTime("a"), timedOut("b"), timedOut("c")));
        take(online("a", 1, 3));
        take(mature("b", 2, 4));
        Measurement measurement = Events.expire(KEY, query, settings).orElseThrow();

        assertThat(measurement.completeness()).isEqualTo(Completeness.EXPIRED);
        assertThat(measurement.measuredAtMillis()).isEqualTo(START + WINDOW);
        assertThat(measurement.scores().get(0).low()).isZero();
        assertThat(measurement.scores().get(0).high()).isEqualTo(0.5);
        assertThat(share(measurement, "c").missing()).isTrue();
        assertThat(share(measurement, "b").missing()).isFalse();
    }

    @Test
    void aQueryWhoseAnswerNeverCameIsAnOrphanWithoutQuality() {
        take(online("a", 1, 3));
        Measurement measurement = Events.expire(KEY, query, settings).orElseThrow();

        assertThat(measurement.completeness()).isEqualTo(Completeness.ORPHAN);
        assertThat(measurement.scores()).isEmpty();
        assertThat(measurement.queryClass()).isEmpty();
    }

    @Test
    void aFailedComponentIsNotWaitedForButMissing() {
        take(answer(inTime("a"), failed("b")));
        Measurement measurement = take(online("a", 1, 3)).orElseThrow();

        assertThat(measurement.completeness()).isEqualTo(Completeness.EXPIRED);
        assertThat(measurement.scores().get(0).low()).isZero();
        assertThat(share(measurement, "b").missing()).isTrue();
    }

    @Test
    void thereIsExactlyOneMeasurement() {
        take(answer(inTime("a"), timedOut("b")));
        take(online("a", 1, 3));
        assertThat(take(mature("b", 2, 4))).isPresent();

        assertThat(QueryJoin.measureIfComplete(KEY, query, settings)).isEmpty();
        assertThat(Events.expire(KEY, query, settings)).isEmpty();
    }

    @Test
    void theSameComponentAndPhaseAgainIsADuplicateEvenAfterTheMeasurement() {
        take(answer(inTime("a"), timedOut("b")));
        take(online("a", 1, 3));
        assertThat(Events.accept(query, online("a", 1, 3), settings)).isEqualTo(JoinResult.DUPLICATE);
        take(mature("b", 2, 4));

        assertThat(Events.accept(query, mature("b", 2, 4), settings)).isEqualTo(JoinResult.DUPLICATE);
        assertThat(Events.accept(query, answer(inTime("a")), settings)).isEqualTo(JoinResult.DUPLICATE);
    }

    @Test
    void anInTimeResultOfAnAnswerMeasuredWithoutItIsJoined() {
        take(answer(inTime("a"), inTime("b")));

        assertThat(Events.accept(query, online("a", 1, 3), settings)).isEqualTo(JoinResult.JOINED);
    }

    @Test
    void aCleanQueryKeepsItsResultsUntilAllAreThere() {
        take(online("a", 1, 3));
        take(answer(inTime("a"), inTime("b")));
        assertThat(query.hasAllResults()).isFalse();

        Events.accept(query, online("b", 2, 4), settings);
        assertThat(query.hasAllResults()).isTrue();
        assertThat(query.items(1).size()).isEqualTo(2);
    }

    /** Partitions determine whether it arrives before or after the row. */
    @Test
    void eventsWithinTheWindowJoinAfterTheMeasurementAsBefore() {
        take(answer(inTime("a"), failed("b")));
        take(online("a", 1, 3));
        assertThat(query.isMeasured()).isTrue();

        for (LoggedEvent event : List.of(mature("b", 2, 4), mature("a", 5), online("x", 6))) {
            assertThat(Events.accept(query, event, settings)).isEqualTo(JoinResult.JOINED);
            assertThat(Events.accept(query, event, settings)).isEqualTo(JoinResult.DUPLICATE);
        }
    }

    @Test
    void eventsAfterTheWindowAreLateAlsoWithoutAStart() {
        take(answer(inTime("a"), failed("b")));
        take(online("a", 1, 3));

        assertThat(Events.accept(query, mature("b", 2, 4), settings, START + WINDOW))
                .isEqualTo(JoinResult.LATE);
    }

    /** A late copy of the request returned another result, or the front end had given one up. */
    @Test
    void onlyTheFinalResultOfAComponentCounts() {
        take(mature("a", 1, 2, 3, 4));
        take(mature("f", 1, 2, 3, 4));
        take(online("b", 1, 2));
        take(answer(inTime("a"), timedOut("b"), failed("f")));
        take(online("a", 5, 7));
        Measurement measurement = take(mature("b", 6, 8)).orElseThrow();

        assertThat(measurement.scores().get(0).high()).isEqualTo(0.5);
        assertThat(share(measurement, "a").contribution()).isEqualTo(0.5);
        assertThat(share(measurement, "b").lostQuality()).isCloseTo(0.5, within(1e-12));
        assertThat(share(measurement, "f").contribution()).isZero();
    }

    @Test
    void ofTwoHeldResultsOfOneComponentTheOneWithinTheWindowCounts() {
        List<JoinResult> fates = new ArrayList<>();
        JoinResult.Listener taker = (event, fate) -> fates.add(fate);
        LoggedEvent late = event(PartialResultBuilder.builder()
                .service("shop")
                .queryId("q")
                .component("b")
                .server("")
                .phase(Phase.MATURE)
                .completedAtMillis(START + WINDOW + 500)
                .latencyMicros(1_000)
                .items(items(9))
                .build());
        QueryJoin.accept(query, late, settings, Long.MIN_VALUE, taker);
        QueryJoin.accept(query, mature("b", 2, 4), settings, Long.MIN_VALUE, taker);
        assertThat(fates).isEmpty();

        LoggedEvent answer = answer(timedOut("b"));
        QueryJoin.accept(query, answer, settings, Long.MIN_VALUE, taker);
        assertThat(fates).containsExactly(JoinResult.JOINED, JoinResult.LATE, JoinResult.JOINED);
        assertThat(QueryJoin.measureIfComplete(KEY, query, settings)).isPresent();
    }

    @Test
    void aRowIsTruncatedByItsOwnResultsOnly() {
        for (LoggedEvent cut : List.of(cut("a", Phase.ONLINE), cut("x", Phase.MATURE))) {
            OpenQuery clean = new OpenQuery();
            Events.accept(clean, cut, settings);
            Events.accept(clean, answer(inTime("a")), settings);
            assertThat(QueryJoin.measureIfComplete(KEY, clean, settings)
                            .orElseThrow()
                            .truncated())
                    .isFalse();
        }
        take(cut("b", Phase.MATURE));
        assertThat(take(answer(timedOut("b"))).orElseThrow().truncated()).isTrue();
    }

    private static LoggedEvent cut(String component, Phase phase) {
        return event(PartialResultBuilder.builder()
                .service("shop")
                .queryId("q")
                .component(component)
                .server("")
                .phase(phase)
                .completedAtMillis(START + 200)
                .latencyMicros(1_000)
                .items(items(1))
                .truncated(true)
                .build());
    }

    @Test
    void anEventThatHappenedAfterTheWindowIsLateWhateverTheWatermark() {
        LoggedEvent event = partial("b", Phase.MATURE, START + WINDOW + 1, items(1));

        assertThat(QueryJoin.punctuality(event, settings, Long.MIN_VALUE)).isEqualTo(Punctuality.LATE);
    }

    @Test
    void anEventBehindTheWatermarkMustNotReopenItsQuery() {
        assertThat(QueryJoin.punctuality(online("a", 1), settings, START + WINDOW))
                .isEqualTo(Punctuality.LATE);
        assertThat(QueryJoin.punctuality(online("a", 1), settings, START + WINDOW - 1))
                .isEqualTo(Punctuality.IN_TIME);
    }

    @Test
    void aMeasuredQueryKeepsNoUnneededItems() {
        take(answer(inTime("a"), timedOut("b")));
        take(online("a", 1, 3));
        take(mature("b", 2, 4));

        assertThat(query.answerItems.isEmpty()).isTrue();
        assertThat(query.holdsResults()).as("kept for other deadlines").isTrue();

        query.discardResults();
        assertThat(query.results).isEmpty();
    }

    @Test
    void replayedAnswersAreComparedWhole() {
        QualitySettings replay = QualitySettings.of(Events.replayPolicy());
        LoggedEvent online = answer(AnswerKind.ONLINE, items(1, 2, 5, 6), START + 30, inTime("a"), timedOut("b"));
        LoggedEvent replayed = answer(AnswerKind.REPLAYED, items(1, 2, 3, 4), START + 400, inTime("b"));
        Events.accept(query, online, replay);
        assertThat(QueryJoin.measureIfComplete(KEY, query, replay)).isEmpty();
        Events.accept(query, replayed, replay);
        Measurement measurement =
                QueryJoin.measureIfComplete(KEY, query, replay).orElseThrow();

        assertThat(measurement.scores().get(0).high()).isEqualTo(0.5);
        assertThat(measurement.measuredAtMillis()).isEqualTo(START + 400);
        assertThat(share(measurement, "b").lostQuality()).isEqualTo(0.5);
    }

    @Test
    void aMissingReplayMakesTheIntervalZeroToOne() {
        QualitySettings replay = QualitySettings.of(Events.replayPolicy());
        Events.accept(query, answer(AnswerKind.ONLINE, items(1), START + 30, timedOut("b")), replay);
        Measurement measurement = Events.expire(KEY, query, replay).orElseThrow();

        assertThat(measurement.scores()).allMatch(s -> s.low() == 0 && s.high() == 1);
    }

    @Test
    void aReplayThatHadNotEverythingIsNoMatureAnswer() {
        QualitySettings replay = QualitySettings.of(Events.replayPolicy());
        Events.accept(query, answer(AnswerKind.ONLINE, items(1), START + 30, timedOut("b")), replay);
        LoggedEvent cut = answer(AnswerKind.REPLAYED, items(1), START + 400, timedOut("b"));
        assertThat(Events.accept(query, cut, replay)).isEqualTo(JoinResult.JOINED);
        assertThat(QueryJoin.measureIfComplete(KEY, query, replay)).isEmpty();

        Events.accept(query, answer(AnswerKind.REPLAYED, items(2), START + 900), replay);
        assertThat(QueryJoin.measureIfComplete(KEY, query, replay).orElseThrow().scores())
                .allMatch(s -> s.high() == 0);
    }

    @Test
    void aReplayThatFailedDoesNotStandInForOneThatCameBeforeTheAnswerToo() {
        QualitySettings replay = QualitySettings.of(Events.replayPolicy());
        LoggedEvent failed = answer(AnswerKind.REPLAYED, items(1), START + 400, timedOut("b"));
        Events.accept(query, failed, replay);
        Events.accept(query, answer(AnswerKind.REPLAYED, items(2), START + 900), replay);
        Events.accept(query, answer(AnswerKind.ONLINE, items(1), START + 30, timedOut("b")), replay);

        assertThat(QueryJoin.measureIfComplete(KEY, query, replay)).isPresent();
        assertThat(Events.accept(query, failed, replay)).isEqualTo(JoinResult.DUPLICATE);
    }

    @Test
    void anAnswerThatNamesNoComponentIsNotMeasurable() {
        Measurement measurement = take(answer()).orElseThrow();

        assertThat(measurement.completeness()).isEqualTo(Completeness.NOT_MEASURABLE);
        assertThat(measurement.unmeasurable()).contains(Unmeasurable.NO_COMPONENTS);
        assertThat(measurement.scores()).isEmpty();
        assertThat(measurement.degraded()).isFalse();
    }

    @Test
    void anAnswerThatItsEmitterCallsUnmeasurableIsSoWhateverItNames() {
        for (Unmeasurable reason : Unmeasurable.values()) {
            OpenQuery own = new OpenQuery();
            Events.accept(own, unmeasurable(reason, inTime("a"), timedOut("b")), settings);
            Measurement measurement =
                    QueryJoin.measureIfComplete(KEY, own, settings).orElseThrow();

            assertThat(measurement.completeness()).isEqualTo(Completeness.NOT_MEASURABLE);
            assertThat(measurement.unmeasurable()).contains(reason);
            assertThat(own.holdsResults()).isFalse();
        }
    }

    @Test
    void aReplayMeasuresAnAnswerThatNamesNoComponent() {
        QualitySettings replay = QualitySettings.of(Events.replayPolicy());
        Events.accept(query, answer(AnswerKind.ONLINE, items(1, 2), START + 30), replay);
        assertThat(QueryJoin.measureIfComplete(KEY, query, replay)).isEmpty();
        Events.accept(query, answer(AnswerKind.REPLAYED, items(1, 3), START + 400), replay);
        Measurement measurement =
                QueryJoin.measureIfComplete(KEY, query, replay).orElseThrow();

        assertThat(measurement.completeness()).isEqualTo(Completeness.COMPLETE);
        assertThat(measurement.scores().get(0).high()).isEqualTo(0.5);
        assertThat(measurement.degraded()).as("measured, not known to be 1").isTrue();
    }

    @Test
    void withoutItsReplayAnAnswerThatNamesNoComponentIsNotMeasurable() {
        QualitySettings replay = QualitySettings.of(Events.replayPolicy());
        Events.accept(query, answer(AnswerKind.ONLINE, items(1, 2), START + 30), replay);

        assertThat(Events.expire(KEY, query, replay).orElseThrow().unmeasurable())
                .contains(Unmeasurable.NO_COMPONENTS);
    }

    /** Half of the results come before the answer, in another order, with two unnamed components. */
    @Test
    void aQueryOfManyComponentsKnowsWhichResultsHaveArrived() {
        int components = 300;
        take(online("x", 1));
        for (int i = components - 1; i >= components / 2; i--) {
            take(online("c" + i, 1_000 + i));
        }
        take(answer(IntStream.range(0, components)
                .mapToObj(i -> i == 0 ? timedOut("c0") : inTime("c" + i))
                .toArray(Invocation[]::new)));
        for (int i = 1; i < components / 2; i++) {
            assertThat(take(online("c" + i, 1_000 + i))).isEmpty();
        }
        for (int i = 1; i < components; i += 37) {
            assertThat(Events.accept(query, online("c" + i, 9), settings)).isEqualTo(JoinResult.DUPLICATE);
        }
        Measurement measurement = take(mature("c0", 7)).orElseThrow();

        assertThat(measurement.completeness()).isEqualTo(Completeness.COMPLETE);
        assertThat(measurement.components()).hasSize(components);
        take(online("y", 1));
        assertThat(query.unnamedResults()).isEqualTo(2);
        assertThat(Events.accept(query, online("c299", 9), settings)).isEqualTo(JoinResult.DUPLICATE);
        assertThat(Events.accept(query, mature("c299", 9), settings)).isEqualTo(JoinResult.JOINED);
    }

    @Test
    void resultsOfComponentsThatTheAnswerDoesNotNameCountInNothing() {
        take(online("x", 1, 2, 3, 4));
        take(answer(inTime("a"), timedOut("b")));
        take(mature("y", 5, 6));
        take(online("a", 10, 11));
        Measurement measurement = take(mature("b", 8, 9)).orElseThrow();

        assertThat(measurement.scores().get(0).high()).isEqualTo(0.5);
        assertThat(measurement.components()).hasSize(2);
        assertThat(share(measurement, "b").lostQuality()).isCloseTo(0.5, within(1e-12));
        assertThat(query.unnamedResults()).isEqualTo(2);
    }

    @Test
    void aLateResultThatDoesNotKnowTheStartWaitsForProofThatItsQueryIsOpen() {
        assertThat(Events.accept(query, mature("b", 2, 4), settings)).isNull();
        assertThat(Events.accept(query, mature("b", 2, 4), settings)).isEqualTo(JoinResult.DUPLICATE);
        assertThat(query.hasBegun()).isFalse();

        List<JoinResult> fates = new ArrayList<>();
        assertThat(QueryJoin.measureExpired(KEY, query, settings, (event, fate) -> fates.add(fate)))
                .isEmpty();
        assertThat(fates).containsExactly(JoinResult.LATE);
    }

    @Test
    void aReplayWaitsForItsAnswer() {
        LoggedEvent replayed = answer(AnswerKind.REPLAYED, items(1), START + 400);

        assertThat(Events.accept(query, replayed, settings)).isNull();
        assertThat(Events.expire(KEY, query, settings)).isEmpty();
    }

    @Test
    void aResultThatKnowsTheStartBeginsItsQuery() {
        LoggedEvent mature = event(PartialResultBuilder.builder()
                .service("shop")
                .queryId("q")
                .component("b")
                .server("")
                .phase(Phase.MATURE)
                .completedAtMillis(START + 9_000)
                .latencyMicros(1_000)
                .items(items(1))
                .startedAtMillis(START)
                .build());
        assertThat(Events.accept(query, mature, settings)).isEqualTo(JoinResult.JOINED);
        assertThat(QueryJoin.expiryMillis(query, settings)).isEqualTo(START + WINDOW);
        assertThat(QueryJoin.punctuality(mature, settings, START + WINDOW)).isEqualTo(Punctuality.LATE);
        assertThat(Events.expire(KEY, query, settings).orElseThrow().startedAtMillis())
                .isEqualTo(START);
    }

    /** A query that was measured may have been dropped by then. */
    @Test
    void anInTimeResultThatComesLongAfterItHappenedBeginsNothing() {
        long forgotten = START + 10 + JoinEngine.TOMBSTONE_SLACK_MILLIS;
        OpenQuery recent = new OpenQuery();

        assertThat(Events.accept(query, online("a", 1), settings, forgotten)).isNull();
        assertThat(Events.accept(recent, online("a", 1), settings, forgotten - 1))
                .isNull();

        assertThat(Events.expire(KEY, query, settings)).isEmpty();
        assertThat(Events.expire(KEY, recent, settings).orElseThrow().completeness())
                .isEqualTo(Completeness.ORPHAN);
    }

    private static LoggedEvent placed(
            LoggedEvent event, long watermarkMillis, long appendWatermarkMillis, boolean proven) {
        event.place(watermarkMillis, appendWatermarkMillis, proven);
        return event;
    }

    /** The partition had passed the window; the reader may not have. */
    @Test
    void anEventIsLateByItsPartitionWhateverWasRead() {
        LoggedEvent late = placed(mature("b", 2), START + WINDOW, START + WINDOW, true);
        LoggedEvent inTime = placed(mature("b", 2), START + WINDOW - 1, START + 99_999, true);

        assertThat(QueryJoin.punctuality(late, settings, Long.MIN_VALUE)).isEqualTo(Punctuality.LATE);
        assertThat(QueryJoin.punctuality(inTime, settings, START + WINDOW)).isEqualTo(Punctuality.IN_TIME);
    }

    @Test
    void anEventInTimeBeginsItsQueryAsLongAsNoneIsForgotten() {
        LoggedEvent inTime = placed(online("a", 2), START, START, true);

        assertThat(QueryJoin.punctuality(inTime, settings, START + WINDOW + 4_999))
                .isEqualTo(Punctuality.IN_TIME);
        assertThat(QueryJoin.punctuality(inTime, settings, START + WINDOW + 5_000))
                .isEqualTo(Punctuality.OVERDUE);
    }

    /** In either order, and after it was stored. */
    @Test
    void aResultAppendedAfterTheWindowToASilentPartitionIsLateIfItsAnswerWasInTime() {
        LoggedEvent answer = placed(answer(timedOut("b")), START, START + 500, true);
        LoggedEvent result = placed(started("b"), START, START + WINDOW, false);
        List<JoinResult> fates = new ArrayList<>();
        for (List<LoggedEvent> order : List.of(List.of(answer, result), List.of(result, answer))) {
            OpenQuery own = new OpenQuery();
            for (LoggedEvent event : order) {
                QueryJoin.accept(own, event, settings, Long.MIN_VALUE, (taken, fate) -> fates.add(fate));
                assertThat(QueryJoin.measureIfComplete(KEY, own, settings)).isEmpty();
            }
            assertThat(Events.expire(KEY, own, settings).orElseThrow().completeness())
                    .isEqualTo(Completeness.EXPIRED);
        }
        assertThat(fates).containsExactly(JoinResult.JOINED, JoinResult.LATE, JoinResult.JOINED, JoinResult.LATE);
    }

    /** A log that was copied, or answers that their emitter holds. */
    @Test
    void aQueryWhoseAnswerWasAppendedAfterTheWindowIsMeasured() {
        LoggedEvent answer = placed(answer(timedOut("b")), START, START + 99_000, false);
        LoggedEvent result = placed(started("b"), START, START + 99_500, false);

        assertThat(Events.accept(query, result, settings)).isNull();
        assertThat(take(answer).orElseThrow().completeness()).isEqualTo(Completeness.COMPLETE);

        OpenQuery unanswered = new OpenQuery();
        assertThat(Events.accept(unanswered, result, settings)).isNull();
        assertThat(Events.expire(KEY, unanswered, settings).orElseThrow().completeness())
                .isEqualTo(Completeness.ORPHAN);
    }

    /** Nothing of the query was appended in time, as in a backlog from before the job's start. */
    @Test
    void heldResultsJoinInWhateverOrderTheyCame() {
        LoggedEvent withStart = placed(started("b"), START, START + 99_000, false);
        LoggedEvent without = placed(mature("c", 2), START, START + 99_000, false);
        for (List<LoggedEvent> order : List.of(List.of(withStart, without), List.of(without, withStart))) {
            OpenQuery own = new OpenQuery();
            order.forEach(
                    event -> assertThat(Events.accept(own, event, settings)).isNull());
            List<JoinResult> fates = new ArrayList<>();
            Measurement measurement = QueryJoin.measureExpired(KEY, own, settings, (event, fate) -> fates.add(fate))
                    .orElseThrow();
            assertThat(fates).containsExactly(JoinResult.JOINED, JoinResult.JOINED);
            assertThat(measurement.startedAtMillis()).isEqualTo(START);
        }
    }

    /** Its fate would never be told, since nothing settles a measured query again. */
    @Test
    void aMeasuredQueryHoldsNothing() {
        Events.accept(query, placed(started("b"), START, START + 99_000, false), settings);
        assertThat(Events.expire(KEY, query, settings)).isPresent();

        LoggedEvent late = placed(mature("c", 2), START, START + 99_000, false);
        List<JoinResult> fates = new ArrayList<>();
        QueryJoin.accept(query, late, settings, START + WINDOW, (event, fate) -> fates.add(fate));
        assertThat(fates).containsExactly(JoinResult.LATE);
    }

    private static LoggedEvent started(String component) {
        return event(PartialResultBuilder.builder()
                .service("shop")
                .queryId("q")
                .component(component)
                .server("")
                .phase(Phase.MATURE)
                .completedAtMillis(START + 200)
                .latencyMicros(200_000)
                .items(items(1))
                .startedAtMillis(START)
                .build());
    }

    /** Whether it arrives by then is random. */
    @Test
    void aResultOfAnotherPhaseDoesNotCount() {
        take(answer(inTime("a"), timedOut("b")));
        take(online("b", 1, 2, 3, 4));
        take(mature("a", 1, 2, 3, 4));
        take(online("a", 5, 7));
        Measurement measurement = take(mature("b", 6, 8)).orElseThrow();

        assertThat(measurement.scores().get(0).high()).isEqualTo(0.5);
        assertThat(share(measurement, "b").lostQuality()).isCloseTo(0.5, within(1e-12));
        assertThat(share(measurement, "a").contribution()).isEqualTo(0.5);
    }

    @Test
    void aCleanRowIsCutIfItsAnswerIsWhateverResultsHadComeByThen() {
        take(event(PartialResultBuilder.builder()
                .service("shop")
                .queryId("q")
                .component("a")
                .server("")
                .phase(Phase.ONLINE)
                .completedAtMillis(START + 10)
                .latencyMicros(10_000)
                .items(items(1))
                .truncated(true)
                .build()));

        assertThat(take(answer(inTime("a"))).orElseThrow().truncated()).isFalse();
    }

    @Test
    void textIdentifiersAreMergedLikeNumbers() {
        take(answer(inTime("a"), timedOut("b")));
        take(partial("a", Phase.ONLINE, START + 10, Items.ofTexts(new String[] {"x", "y"}, new float[] {4, 3})));
        Measurement measurement = take(partial(
                        "b", Phase.MATURE, START + 200, Items.ofTexts(new String[] {"v", "x"}, new float[] {9, 4})))
                .orElseThrow();

        assertThat(measurement.scores().get(0).high()).isCloseTo(2.0 / 3, within(1e-12));
    }
}
