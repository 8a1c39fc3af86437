package io.kipimo.core.quality.join;

import static io.kipimo.core.quality.join.Events.KEY;
import static io.kipimo.core.quality.join.Events.START;
import static io.kipimo.core.quality.join.Events.WINDOW;
import static io.kipimo.core.quality.join.Events.answer;
import static io.kipimo.core.quality.join.Events.failed;
import static io.kipimo.core.quality.join.Events.inTime;
import static io.kipimo.core.quality.join.Events.items;
import static io.kipimo.core.quality.join.Events.mature;
import static io.kipimo.core.quality.join.Events.online;
import static io.kipimo.core.quality.join.Events.partial;
import static io.kipimo.core.quality.join.Events.timedOut;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.schemas.codec.SampledEvent;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Phase;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class QueryJoinTest {
    private final QualitySettings settings = QualitySettings.of(Events.policy());
    private final OpenQuery query = new OpenQuery();

    private Optional<Measurement> take(SampledEvent event) {
        assertThat(QueryJoin.accept(query, event, settings)).isEqualTo(EventFate.JOINED);
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
        assertThat(measurement.scores()).allMatch(s -> s.low() == 1 && s.high() == 1).hasSize(2);
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

    @Test
    void theAnswerEventMayComeLast() {
        assertThat(take(mature("b", 2, 4))).isEmpty();
        assertThat(take(online("a", 1, 3))).isEmpty();
        assertThat(take(answer(inTime("a"), timedOut("b")))).isPresent();
    }

    /**
     * An inner join of online and mature would drop what a component without an online part
     * returned late.
     */
    @Test
    void whatATimedOutComponentReturnedCountsAgainstTheAnswer() {
        take(answer(timedOut("a"), timedOut("b")));
        take(mature("a", 1, 2));
        Measurement measurement = take(mature("b", 3, 4)).orElseThrow();

        assertThat(measurement.scores().get(0).high()).isZero();
        assertThat(share(measurement, "a").lostQuality() + share(measurement, "b").lostQuality())
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
    void atTheEndOfTheWindowWhatIsMissingMakesTheQualityAnInterval() {
        take(answer(inTime("a"), timedOut("b"), timedOut("c")));
        take(online("a", 1, 3));
        take(mature("b", 2, 4));
        Measurement measurement = QueryJoin.measureExpired(KEY, query, settings).orElseThrow();

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
        Measurement measurement = QueryJoin.measureExpired(KEY, query, settings).orElseThrow();

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
        assertThat(QueryJoin.measureExpired(KEY, query, settings)).isEmpty();
    }

    @Test
    void theSameComponentAndPhaseAgainIsADuplicateEvenAfterTheMeasurement() {
        take(answer(inTime("a"), timedOut("b")));
        take(online("a", 1, 3));
        assertThat(QueryJoin.accept(query, online("a", 1, 3), settings))
                .isEqualTo(EventFate.DUPLICATE);
        take(mature("b", 2, 4));

        assertThat(QueryJoin.accept(query, mature("b", 2, 4), settings))
                .isEqualTo(EventFate.DUPLICATE);
        assertThat(QueryJoin.accept(query, answer(inTime("a")), settings))
                .isEqualTo(EventFate.DUPLICATE);
    }

    @Test
    void anInTimeResultOfAnAnswerMeasuredWithoutItIsJoined() {
        take(answer(inTime("a"), inTime("b")));

        assertThat(QueryJoin.accept(query, online("a", 1, 3), settings))
                .isEqualTo(EventFate.JOINED);
    }

    @Test
    void aCleanQueryKeepsItsResultsUntilAllAreThere() {
        take(online("a", 1, 3));
        take(answer(inTime("a"), inTime("b")));
        assertThat(query.hasAllResults()).isFalse();

        QueryJoin.accept(query, online("b", 2, 4), settings);
        assertThat(query.hasAllResults()).isTrue();
        assertThat(query.items(1).size()).isEqualTo(2);
    }

    @Test
    void anythingElseAfterTheMeasurementIsLate() {
        take(answer(inTime("a"), failed("b")));
        take(online("a", 1, 3));

        assertThat(QueryJoin.accept(query, mature("b", 2, 4), settings)).isEqualTo(EventFate.LATE);
    }

    @Test
    void anEventThatHappenedAfterTheWindowIsLateWhateverTheWatermark() {
        SampledEvent event = partial("b", Phase.MATURE, START + WINDOW + 1, items(1));

        assertThat(QueryJoin.isLateByItself(event, settings, Long.MIN_VALUE)).isTrue();
    }

    @Test
    void anEventBehindTheWatermarkMustNotReopenItsQuery() {
        assertThat(QueryJoin.isLateByItself(online("a", 1), settings, START + WINDOW)).isTrue();
        assertThat(QueryJoin.isLateByItself(online("a", 1), settings, START + WINDOW - 1))
                .isFalse();
    }

    @Test
    void aMeasuredQueryKeepsNoItemsThatNobodyAsksFor() {
        take(answer(inTime("a"), timedOut("b")));
        take(online("a", 1, 3));
        take(mature("b", 2, 4));

        assertThat(query.answerItems.isEmpty()).isTrue();
        assertThat(query.holdsResults()).as("for other deadlines").isTrue();

        query.letGoOfResults();
        assertThat(query.results).isEmpty();
    }

    @Test
    void replayedAnswersAreComparedWhole() {
        QualitySettings replay = QualitySettings.of(Events.replayPolicy());
        SampledEvent online =
                answer(
                        AnswerKind.ONLINE,
                        items(1, 2, 5, 6),
                        START + 30,
                        inTime("a"),
                        timedOut("b"));
        SampledEvent replayed = answer(AnswerKind.REPLAYED, items(1, 2, 3, 4), START + 400);
        QueryJoin.accept(query, online, replay);
        assertThat(QueryJoin.measureIfComplete(KEY, query, replay)).isEmpty();
        QueryJoin.accept(query, replayed, replay);
        Measurement measurement = QueryJoin.measureIfComplete(KEY, query, replay).orElseThrow();

        assertThat(measurement.scores().get(0).high()).isEqualTo(0.5);
        assertThat(measurement.measuredAtMillis()).isEqualTo(START + 400);
        assertThat(share(measurement, "b").lostQuality()).isEqualTo(0.5);
    }

    @Test
    void aReplayThatNeverCameSaysNothing() {
        QualitySettings replay = QualitySettings.of(Events.replayPolicy());
        QueryJoin.accept(
                query, answer(AnswerKind.ONLINE, items(1), START + 30, timedOut("b")), replay);
        Measurement measurement = QueryJoin.measureExpired(KEY, query, replay).orElseThrow();

        assertThat(measurement.scores()).allMatch(s -> s.low() == 0 && s.high() == 1);
    }

    @Test
    void textIdentifiersAreMergedLikeNumbers() {
        take(answer(inTime("a"), timedOut("b")));
        take(
                partial(
                        "a",
                        Phase.ONLINE,
                        START + 10,
                        Items.ofTexts(new String[] {"x", "y"}, new float[] {4, 3})));
        Measurement measurement =
                take(partial(
                                "b",
                                Phase.MATURE,
                                START + 200,
                                Items.ofTexts(new String[] {"v", "x"}, new float[] {9, 4})))
                        .orElseThrow();

        assertThat(measurement.scores().get(0).high()).isCloseTo(2.0 / 3, within(1e-12));
    }
}
