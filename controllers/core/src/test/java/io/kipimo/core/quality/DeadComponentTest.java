package io.kipimo.core.quality;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import io.kipimo.core.admission.AdmissionLoop;
import io.kipimo.core.admission.AdmissionState;
import io.kipimo.core.admission.SampleWindows;
import io.kipimo.core.guard.Step;
import io.kipimo.core.quality.join.ContributionBounds;
import io.kipimo.core.quality.join.Events;
import io.kipimo.core.quality.join.JoinEngine;
import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.core.quality.join.QueryStore;
import io.kipimo.core.quality.window.ClassWindows;
import io.kipimo.core.quality.window.QualityWindows;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ControllerKind;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.Signal;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * From the tenth minute on, one of four components never answers within the expiration window. The arriving results
 * make the online answers look perfect, so a naive estimate would rise to 1 and open the gate. The test runs join,
 * windows and controller together, in virtual time.
 */
class DeadComponentTest {
    private static final int MINUTE = 60;
    private static final int QUERIES_PER_SECOND = Effort.of(20, 100);
    private static final double SAMPLED = 0.2;
    private static final int COMPONENTS = 4;
    private static final String[] NAMES = {"c0", "c1", "c2", "c3"};
    private static final int DEAD = 1;

    private final Policy policy = policy();
    private final QualitySettings settings = QualitySettings.of(policy);
    private final ContributionBounds bounds = new ContributionBounds();
    private final ClassWindows windows = new ClassWindows();
    private final List<Double> lowEnds = new ArrayList<>();
    private final List<Double> highEnds = new ArrayList<>();
    private final List<Double> fractions = new ArrayList<>();
    private AdmissionState admission = AdmissionState.initial();

    private static Policy policy() {
        Policy p = Events.policy();
        AdmissionPolicy a = p.admission();
        return p.toBuilder()
                .version(1)
                .metrics(List.of("tpr@20"))
                .topK(20)
                .admission(a.toBuilder()
                        .controller(ControllerKind.PID)
                        .signal(Signal.QUALITY)
                        .shadow(false)
                        .batchQueries(1_000_000)
                        .periodMillis(10_000)
                        .build())
                .killSwitch(false)
                .build();
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Effort.of(1, 5));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void thePublishedLowEndFallsAndTheAdmittedFractionNeitherRisesNorFalls(long seed) {
        Random random = new Random(seed);
        for (int second = 0; second < 20 * MINUTE; second++) {
            live(second, second >= 10 * MINUTE, random);
        }

        // One batch every 10 s: 60 before, 60 after. The first batch after still has queries from
        // before.
        assertThat(mean(lowEnds, 70, 120)).isLessThan(mean(lowEnds, 20, 60) - 0.1);
        assertThat(mean(highEnds, 70, 120)).as("received results look fine").isGreaterThan(0.9);
        List<Double> since = fractions.subList(60, fractions.size());
        assertThat(since).as("what is not known neither opens nor sheds").containsOnly(since.get(0));
    }

    private void live(int second, boolean dead, Random random) {
        long now = Events.START + second * 1000L;
        int degraded = 0;
        for (int i = 0; i < QUERIES_PER_SECOND; i++) {
            boolean[] late = new boolean[COMPONENTS];
            boolean any = false;
            for (int c = 0; c < COMPONENTS; c++) {
                late[c] = random.nextDouble() < 0.05 || (dead && c == DEAD);
                any |= late[c];
            }
            degraded += any ? 1 : 0;
            if (random.nextDouble() < SAMPLED) {
                measure("q" + second + "-" + i, now, late, dead, random);
            }
        }
        Observation counts = ObservationBuilder.builder()
                .service("shop")
                .tier("front")
                .server("fe")
                .queryClass("high")
                .secondMillis(now)
                .offered(QUERIES_PER_SECOND)
                .answered(QUERIES_PER_SECOND)
                .timedOut(degraded)
                .bill(MeasurementBill.NOTHING)
                .admittedFraction(1)
                .build();
        for (QualityWindow batch : QualityWindows.add(windows, policy, counts)) {
            control(batch, now + 1000);
        }
        QualityWindows.nextSlideEndMillis(windows, policy)
                .filter(end -> end <= now)
                .ifPresent(end -> QualityWindows.closeSlide(windows, policy, "shop", "high", end));
    }

    private void control(QualityWindow batch, long now) {
        Step<AdmissionState, Decision> step = new AdmissionLoop().step(admission, batch, SampleWindows.at(policy, now));
        admission = step.next();
        lowEnds.add(batch.averaged().orElseThrow().low());
        highEnds.add(batch.averaged().orElseThrow().high());
        step.decisions().stream()
                .filter(d -> d.scope().equals("shop/low"))
                .mapToDouble(Decision::value)
                .forEach(fractions::add);
    }

    private void measure(String id, long start, boolean[] late, boolean dead, Random random) {
        JoinEngine join = new JoinEngine(new QueryStore(), service -> settings, false, this::measured);
        List<Invocation> invocations = new ArrayList<>();
        for (int c = 0; c < COMPONENTS; c++) {
            invocations.add(new Invocation(NAMES[c], late[c] ? Outcome.TIMED_OUT : Outcome.IN_TIME, 30_000));
            if (!(dead && c == DEAD)) {
                join.accept(partial(id, c, start, late[c], random));
            }
        }
        Answer answer = AnswerBuilder.builder()
                .service("shop")
                .queryId(id)
                .queryClass("high")
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(start)
                .answeredAtMillis(start + 30)
                .deadlineMillis(30)
                .topK(20)
                .invocations(invocations)
                .items(Items.NONE)
                .build();
        join.accept(Events.event(answer));
        join.advance(Long.MAX_VALUE);
    }

    private void measured(Measurement raw, long measuredBeforeMillis) {
        QualityWindows.add(windows, policy, bounds.complete(raw, measuredBeforeMillis));
    }

    private static LoggedEvent partial(String id, int component, long start, boolean late, Random random) {
        long[] ids = new long[20];
        float[] scores = new float[20];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = component * 1000L + i;
            scores[i] = random.nextFloat();
        }
        long latency = late ? 200 : 10;
        return Events.event(PartialResultBuilder.builder()
                .service("shop")
                .queryId(id)
                .component(NAMES[component])
                .server("")
                .phase(late ? Phase.MATURE : Phase.ONLINE)
                .completedAtMillis(start + latency)
                .latencyMicros(latency * 1000)
                .items(Items.ofNumbers(ids, scores))
                .build());
    }

    private static double mean(List<Double> values, int from, int until) {
        return values.subList(from, until).stream()
                .mapToDouble(v -> v)
                .average()
                .orElseThrow();
    }
}
