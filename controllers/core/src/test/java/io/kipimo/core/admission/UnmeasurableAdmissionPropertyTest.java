package io.kipimo.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import io.kipimo.core.guard.DecisionReason;
import io.kipimo.core.guard.Step;
import io.kipimo.core.quality.window.ClassWindows;
import io.kipimo.core.quality.window.QualityWindows;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.ControllerKind;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.Signal;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Score;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.statistics.Statistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs windows and the loop. Every answer is sampled, so qualities are exact. */
class UnmeasurableAdmissionPropertyTest {
    private static final int ANSWERS = 100;
    private static final int PERIODS = 6;

    /** Replacement for the answers of the last batch. */
    enum Choice {
        WORST,
        BEST,
        ANY
    }

    /** One answer; if it is not degraded, its quality is 1 by construction. */
    private record Answered(boolean degraded, boolean expired, double low, double high) {
        Measurement measured(long atMillis) {
            return Measurement.builder()
                    .service("search")
                    .queryId("q")
                    .queryClass("high")
                    .startedAtMillis(atMillis)
                    .measuredAtMillis(atMillis)
                    .completeness(expired ? Completeness.EXPIRED : Completeness.COMPLETE)
                    .degraded(degraded)
                    .topK(20)
                    .scores(List.of(new Score("tpr@20", low, high)))
                    .build();
        }

        static Measurement unmeasurable(long atMillis) {
            return Measurement.builder()
                    .service("search")
                    .queryId("q")
                    .queryClass("high")
                    .startedAtMillis(atMillis)
                    .measuredAtMillis(atMillis)
                    .completeness(Completeness.NOT_MEASURABLE)
                    .topK(20)
                    .unmeasurable(Optional.of(Unmeasurable.FAILED_ANSWER))
                    .build();
        }
    }

    /** Windows and a loop, period by period. */
    private static final class Run {
        private final Policy policy;
        private final ClassWindows windows = new ClassWindows();
        private AdmissionState state = SampleWindows.safely();
        private int period;

        Run(Policy policy) {
            this.policy = policy;
        }

        /** The decision on the lower class. */
        Decision step(List<Answered> measurable, int unmeasurable) {
            long start = SampleWindows.START + period++ * SampleWindows.PERIOD;
            for (Answered answer : measurable) {
                QualityWindows.add(windows, policy, answer.measured(start + 1_000));
            }
            for (int i = 0; i < unmeasurable; i++) {
                QualityWindows.add(windows, policy, Answered.unmeasurable(start + 1_000));
            }
            int answered = measurable.size() + unmeasurable;
            List<QualityWindow> batch = QualityWindows.add(
                    windows,
                    policy,
                    ObservationBuilder.builder()
                            .service("search")
                            .tier("front")
                            .server("f0")
                            .queryClass("high")
                            .secondMillis(start + SampleWindows.PERIOD - 1_000)
                            .offered(answered)
                            .answered(answered)
                            .timedOut(measurable.stream()
                                    .filter(Answered::degraded)
                                    .count())
                            .bill(MeasurementBill.NOTHING)
                            .admittedFraction(1)
                            .unmeasurable(
                                    unmeasurable == 0
                                            ? Map.of()
                                            : Map.of(Unmeasurable.FAILED_ANSWER, (long) unmeasurable))
                            .build());
            assertThat(batch).hasSize(1);
            long now = start + SampleWindows.PERIOD;
            Step<AdmissionState, Decision> step =
                    new AdmissionLoop().step(state, batch.get(0), SampleWindows.at(policy, now));
            state = step.next();
            return step.decisions().get(1);
        }
    }

    private static Policy policy(ControllerKind kind, Signal signal, double objective) {
        AdmissionPolicy admission = SampleWindows.gains(SampleWindows.admission(kind, signal), 0.5, 0.05, 0);
        return SampleWindows.policy(
                admission,
                3 * SampleWindows.PERIOD,
                List.of(
                        ClassPolicy.builder()
                                .name("high")
                                .priority(0)
                                .objective(objective)
                                .floor(1)
                                .build(),
                        SampleWindows.low("low", 1)),
                false);
    }

    private static List<Answered> answers(Random random, double degradedShare, double loss) {
        List<Answered> answers = new ArrayList<>(ANSWERS);
        for (int i = 0; i < ANSWERS; i++) {
            if (random.nextDouble() >= degradedShare) {
                answers.add(new Answered(false, false, 1, 1));
                continue;
            }
            double quality = 1 - random.nextDouble() * loss;
            boolean expired = random.nextInt(20) == 0;
            answers.add(new Answered(true, expired, expired ? quality * 0.8 : quality, quality));
        }
        return answers;
    }

    @Property(tries = 300, seed = "1117")
    void unmeasurableAnswersInPlaceOfMeasurableOnesNeverOpenMore(
            @ForAll long seed,
            @ForAll boolean aimd,
            @ForAll Signal signal,
            @ForAll @DoubleRange(min = 0.5, max = 0.99) double objective,
            @ForAll @DoubleRange(min = 0, max = 0.4) double degradedShare,
            @ForAll @DoubleRange(min = 0, max = 1) double loss,
            @ForAll @IntRange(min = 0, max = ANSWERS) int replaced,
            @ForAll Choice choice) {
        Policy policy = policy(aimd ? ControllerKind.AIMD : ControllerKind.PID, signal, objective);
        Run run = new Run(policy);
        Run other = new Run(policy);
        Random random = new Random(seed);
        for (int i = 0; i < PERIODS; i++) {
            List<Answered> history = answers(random, degradedShare, loss);
            run.step(history, 0);
            other.step(history, 0);
        }
        List<Answered> last = answers(random, degradedShare, loss);
        if (choice == Choice.ANY) {
            Collections.shuffle(last, random);
        } else {
            Comparator<Answered> byQuality = Comparator.comparingDouble(Answered::low);
            last.sort(choice == Choice.WORST ? byQuality : byQuality.reversed());
        }

        Decision measured = run.step(last, 0);
        Decision unmeasured = other.step(last.subList(replaced, ANSWERS), replaced);

        Statistics.label("opens on what is measurable")
                .collect(measured.value() > measured.previous())
                .coverage(c -> c.check(true).percentage(p -> p > Effort.of(2, 5)));
        assertThat(unmeasured.previous()).isEqualTo(measured.previous());
        assertThat(unmeasured.value()).isLessThanOrEqualTo(Math.max(measured.value(), measured.previous()) + 1e-12);
        if (replaced > ANSWERS / 2) {
            assertThat(unmeasured.value()).isEqualTo(unmeasured.previous());
        }
    }

    @ParameterizedTest
    @EnumSource(Signal.class)
    void holdsWithEverySignalWhileLessThanHalfIsMeasurable(Signal signal) {
        Run run = new Run(policy(ControllerKind.PID, signal, 0.9));
        List<Answered> clean = answers(new Random(1), 0, 0);
        for (int i = 0; i < PERIODS; i++) {
            run.step(clean, 0);
        }

        Decision none = run.step(List.of(), 100);
        Decision little = run.step(clean.subList(0, 49), 51);

        assertThat(none.reason()).isEqualTo(DecisionReason.HELD_NOT_MEASURABLE.name());
        assertThat(none.value()).isEqualTo(none.previous());
        assertThat(little.reason()).isEqualTo(DecisionReason.HELD_NOT_MEASURABLE.name());
        assertThat(little.value()).isEqualTo(little.previous());
    }

    /** One 404 in a hundred leaves room for the objective, and must not keep a class shut. */
    @ParameterizedTest
    @EnumSource(Signal.class)
    void opensBesideTheOddErrorThatIsAlwaysThere(Signal signal) {
        Run run = new Run(policy(ControllerKind.PID, signal, 0.95));
        List<Answered> clean = answers(new Random(1), 0, 0).subList(0, 99);
        Decision last = run.step(clean, 1);
        for (int i = 0; i < 60 && last.value() < 1; i++) {
            last = run.step(clean, 1);
        }

        assertThat(last.value()).isEqualTo(1);
    }

    @Test
    void holdsWhereTheUnmeasurableAreMoreThanTheObjectiveLeavesRoomFor() {
        Run run = new Run(policy(ControllerKind.PID, Signal.QUALITY, 0.95));
        List<Answered> clean = answers(new Random(1), 0, 0).subList(0, 90);
        Decision last = run.step(clean, 10);
        for (int i = 0; i < 20; i++) {
            last = run.step(clean, 10);
        }

        assertThat(last.value()).isEqualTo(last.previous()).isEqualTo(0.5);
        assertThat(last.reason()).isEqualTo(DecisionReason.HELD_PARTLY_MEASURABLE.name());
    }

    /** Recent errors are still in the average that the next batch is judged by. */
    @ParameterizedTest
    @EnumSource(Signal.class)
    void doesNotOpenRightAfterABurstOfErrors(Signal signal) {
        Run run = new Run(policy(ControllerKind.PID, signal, 0.95));
        List<Answered> clean = answers(new Random(1), 0, 0);
        for (int i = 0; i < PERIODS; i++) {
            run.step(clean, 0);
        }
        run.step(clean.subList(0, 55), 45);

        Decision after = run.step(clean, 0);

        assertThat(after.value()).isEqualTo(after.previous());
        assertThat(after.reason()).isEqualTo(DecisionReason.HELD_PARTLY_MEASURABLE.name());
    }
}
