package io.kipimo.core.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.quality.WindowKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Two components, "a" with items 1 and 2, "b" with 3 and 4; the deadline was 30 ms. */
class OtherDeadlineTest {
    private static final long START = 1_700_000_000_000L;

    private final List<Answer> answers = new ArrayList<>();
    private final List<PartialResult> partials = new ArrayList<>();
    private final List<Observation> observations = new ArrayList<>();

    private static Policy policy() {
        return Policy.builder()
                .service("shop")
                .version(1)
                .metrics(List.of("tpr@4"))
                .topK(4)
                .expirationWindowMillis(1_000)
                .windowMillis(10_000)
                .slideMillis(1_000)
                .classes(List.of(ClassPolicy.builder()
                        .name("high")
                        .priority(0)
                        .objective(0.9)
                        .floor(1)
                        .build()))
                .build();
    }

    /** A query whose components' results arrive this long after its start; 0: never. */
    private void query(String id, int aMillis, int bMillis, boolean isRecorded) {
        long startedAt = START + 10L * answers.size();
        boolean clean = aMillis > 0 && aMillis <= 30 && bMillis > 0 && bMillis <= 30;
        answers.add(AnswerBuilder.builder()
                .service("shop")
                .queryId(id)
                .queryClass("high")
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(startedAt)
                .answeredAtMillis(startedAt + (clean ? Math.max(aMillis, bMillis) : 30))
                .deadlineMillis(30)
                .invocations(List.of(invocation("a", aMillis), invocation("b", bMillis)))
                .items(Items.NONE)
                .build());
        if (isRecorded) {
            partial(id, startedAt, "a", aMillis, 1);
            partial(id, startedAt, "b", bMillis, 3);
        }
    }

    private static Invocation invocation(String component, int millis) {
        boolean isIn = millis > 0 && millis <= 30;
        return new Invocation(component, isIn ? Outcome.IN_TIME : Outcome.TIMED_OUT, (isIn ? millis - 1 : 29) * 1_000L);
    }

    /** Invoked a millisecond after the query's start. */
    private void partial(String id, long startedAt, String component, int millis, long item) {
        if (millis > 0) {
            partials.add(PartialResultBuilder.builder()
                    .service("shop")
                    .queryId(id)
                    .component(component)
                    .server("")
                    .phase(millis <= 30 ? Phase.ONLINE : Phase.MATURE)
                    .completedAtMillis(startedAt + millis)
                    .latencyMicros((millis - 1) * 1_000L)
                    .items(Items.ofNumbers(new long[] {item, item + 1}, new float[] {2, 1}))
                    .build());
        }
    }

    private void second(long answered, long timedOut) {
        observations.add(ObservationBuilder.builder()
                .service("shop")
                .tier("front")
                .server("f0")
                .queryClass("high")
                .secondMillis(START + 1000L * observations.size())
                .offered(answered)
                .answered(answered)
                .timedOut(timedOut)
                .bill(MeasurementBill.NOTHING)
                .admittedFraction(1)
                .build());
    }

    private RecordedEvents recorded() {
        return new RecordedEvents(answers, partials, observations);
    }

    private List<Measurement> at(int deadline) {
        return MeasurementReplay.replay(policy(), OtherDeadline.at(recorded(), deadline), key -> 0)
                .measurements();
    }

    private double quality(int deadline, String id) {
        return at(deadline).stream()
                .filter(m -> m.queryId().equals(id))
                .findFirst()
                .orElseThrow()
                .scores()
                .get(0)
                .high();
    }

    @Test
    void aLongerDeadlineHealsAndAShorterOneHurts() {
        query("q", 10, 45, true);

        assertThat(quality(30, "q")).isEqualTo(0.5);
        assertThat(quality(45, "q")).isEqualTo(1);
        assertThat(quality(9, "q")).isZero();
        assertThat(at(45).get(0).degraded()).isFalse();
    }

    @Test
    void theSameDeadlineChangesNothing() {
        query("q1", 10, 45, true);
        query("q2", 10, 0, true);
        query("q3", 10, 30, true);
        query("q4", 10, 20, false);
        second(100, 40);

        RecordedEvents same = OtherDeadline.at(recorded(), 30);

        assertThat(MeasurementReplay.replay(policy(), same, key -> 0).measurements())
                .usingRecursiveComparison()
                .ignoringFieldsMatchingRegexes(".*latencyMicros")
                .isEqualTo(
                        MeasurementReplay.replay(policy(), recorded(), key -> 0).measurements());
        assertThat(same.observations()).isEqualTo(observations);
    }

    @Test
    void missingResultsStayMissing() {
        query("q", 10, 0, true);

        assertThat(at(900).get(0).completeness()).isEqualTo(Completeness.EXPIRED);
    }

    @Test
    void anUnmeasurableCleanQueryIsExcluded() {
        query("quick", 10, 12, false);
        query("slow", 10, 28, false);

        assertThat(at(12)).extracting(Measurement::queryId).containsExactly("quick");
        assertThat(at(28)).extracting(Measurement::queryId).containsExactly("quick", "slow");
    }

    @Test
    void countsFollowTheRecordedQueries() {
        query("q1", 10, 45, true);
        query("q2", 10, 95, true);
        query("q3", 10, 20, true);
        query("q4", 10, 12, true);
        for (int i = 0; i < 10; i++) {
            second(9, 3);
        }

        assertThat(timedOut(60)).as("one of two degraded ones stays degraded").isEqualTo(15);
        assertThat(timedOut(15)).as("one of two clean ones becomes degraded").isEqualTo(30 + 30);
        assertThat(timedOut(95)).isZero();
    }

    @Test
    void unmeasurableAnswersStaySoAtAnotherDeadline() {
        query("q1", 10, 12, true);
        Answer a = answers.get(0);
        answers.add(AnswerBuilder.builder(a)
                .queryId("q2")
                .unmeasurable(Optional.of(Unmeasurable.CUT))
                .build());
        second(100, 0);
        Observation all = observations.remove(0);
        observations.add(ObservationBuilder.builder(all)
                .unmeasurable(Map.of(Unmeasurable.CUT, 50L))
                .build());

        assertThat(at(60))
                .filteredOn(m -> m.queryId().equals("q2"))
                .singleElement()
                .extracting(Measurement::completeness)
                .isEqualTo(Completeness.NOT_MEASURABLE);
        assertThat(OtherDeadline.at(recorded(), 5).observations())
                .singleElement()
                .satisfies(second -> {
                    assertThat(second.timedOut()).isEqualTo(50);
                    assertThat(second.unmeasurable()).containsExactly(Map.entry(Unmeasurable.CUT, 50L));
                });
    }

    private long timedOut(int deadline) {
        return OtherDeadline.at(recorded(), deadline).observations().stream()
                .mapToLong(Observation::timedOut)
                .sum();
    }

    @Test
    void replayedWindowsHaveTheQualityOfTheChangedAnswers() {
        for (int i = 0; i < 100; i++) {
            query("q" + i, 10, i % 2 == 0 ? 45 : 20, true);
        }
        second(100, 50);
        second(100, 50);

        QualityWindow before = batch(MeasurementReplay.replay(policy(), recorded(), key -> 0));
        QualityWindow after = batch(MeasurementReplay.replay(policy(), OtherDeadline.at(recorded(), 50), key -> 0));

        assertThat(before.estimate().orElseThrow().mean()).isEqualTo(0.75);
        assertThat(before.timedOut()).isEqualTo(50);
        assertThat(after.estimate().orElseThrow().mean()).isEqualTo(1);
        assertThat(after.timedOut()).isZero();
    }

    private static QualityWindow batch(MeasurementReplay.ReplayedMeasurements measured) {
        return measured.windows().stream()
                .filter(w -> w.kind() == WindowKind.BATCH)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aDeadlineThatIsNoneIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OtherDeadline.at(recorded(), 0))
                .withMessage("deadline is 0 ms; allowed: at least 1");
    }
}
