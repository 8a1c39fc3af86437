package io.kipimo.core.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.admission.AdmissionAccount;
import io.kipimo.core.admission.AdmissionState;
import io.kipimo.core.admission.Samples;
import io.kipimo.core.control.Controller;
import io.kipimo.core.sampling.adaptive.SamplingAccount;
import io.kipimo.core.sampling.adaptive.SamplingMemory;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.ControllerKind;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.Signal;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A job that runs a controller, and its replay from what it read and wrote. */
class ControlReplayTest {
    private static final long WINDOW = 3 * Samples.PERIOD;

    /** What a job read and wrote. */
    private record Live(List<QualityWindow> windows, List<Decision> decisions) {}

    private static QualityWindow sliding(long end, double halfWidth, int samples) {
        return Samples.window(
                WindowKind.SLIDING,
                end,
                Optional.of(new Estimate(0.5 - halfWidth, 0.5, 0.5 + halfWidth)),
                Optional.empty(),
                10_000,
                2_000,
                samples,
                0,
                samples,
                Optional.empty());
    }

    /** Windows come one to three seconds after their end, heartbeats in between, and a pause. */
    private static <S> Live live(Controller<S> controller, Policy policy, long seed) {
        Random random = new Random(seed);
        List<QualityWindow> windows = new ArrayList<>();
        List<Decision> decisions = new ArrayList<>();
        S state = controller.initial();
        double quality = 0.95;
        long now = Samples.START;
        for (int i = 1; i <= 120; i++) {
            long end = Samples.START + i * Samples.PERIOD;
            Controller.Step<S> beat = controller.heartbeat(state, policy, 3, end - 4_000);
            state = beat.next();
            decisions.addAll(beat.decisions());
            if (i > 60 && i < 75) {
                continue;
            }
            quality = Math.max(0.5, Math.min(0.98, quality + 0.05 * random.nextGaussian()));
            for (QualityWindow window :
                    List.of(
                            sliding(end, 0.4 * random.nextDouble() + 0.001, 400),
                            Samples.batch(quality + 0.01 * random.nextDouble(), end))) {
                windows.add(window);
                now = end + 1_000 + random.nextInt(2_000);
                Controller.Step<S> step = controller.step(state, policy, window, 3, now);
                state = step.next();
                decisions.addAll(step.decisions());
            }
        }
        return new Live(windows, decisions);
    }

    private static <S> List<Replayed<S>> replay(
            Controller<S> controller, Policy policy, Live live) {
        // A topic is read partition by partition, and its records are delivered at least once.
        List<Decision> shuffled = new ArrayList<>(live.decisions);
        shuffled.addAll(live.decisions.subList(5, 50));
        Collections.shuffle(shuffled, new Random(1));
        return ControlReplay.replay(
                controller,
                controller.initial(),
                moment -> policy,
                Moments.recorded(live.windows, shuffled));
    }

    @ParameterizedTest
    @EnumSource(Signal.class)
    void theSamePolicyDecidesAsTheJobDidWhateverTheSignal(Signal signal) {
        for (ControllerKind kind : List.of(ControllerKind.PID, ControllerKind.AIMD)) {
            Policy policy = Samples.policy(Samples.admission(kind, signal), WINDOW);
            Live live = live(Controller.ADMISSION, policy, 17);

            List<Decision> again =
                    ControlReplay.decisions(replay(Controller.ADMISSION, policy, live));

            assertThat(again).as("%s on %s", kind, signal).isEqualTo(live.decisions);
        }
    }

    @Test
    void shadowOverridesAndNoControlAreReplayedToo() {
        Policy open =
                Samples.policy(
                        Samples.admission(ControllerKind.NO_CONTROL, Signal.QUALITY), WINDOW);
        Policy shadow = Samples.policy(Samples.shadow(Samples.pid()), WINDOW);
        Policy overridden =
                Samples.policy(Samples.pid(), WINDOW)
                        .withOverride(
                                "low",
                                Optional.of(
                                        new ManualOverride(
                                                0.3,
                                                Samples.START + 50 * Samples.PERIOD,
                                                "ann",
                                                "sale")));
        for (Policy policy : List.of(shadow, overridden, open)) {
            Live live = live(Controller.ADMISSION, policy, 18);
            assertThat(ControlReplay.decisions(replay(Controller.ADMISSION, policy, live)))
                    .isEqualTo(live.decisions);
        }
    }

    @Test
    void samplingIsReplayedToo() {
        Policy policy = Samples.policy(Samples.pid(), WINDOW);
        Live live = live(Controller.SAMPLING, policy, 19);

        assertThat(live.decisions.stream().map(Decision::value).distinct().count())
                .isGreaterThan(20);
        assertThat(ControlReplay.decisions(replay(Controller.SAMPLING, policy, live)))
                .isEqualTo(live.decisions);
    }

    @Test
    void otherGainsDecideOtherwiseAtTheSameMoments() {
        Policy policy = Samples.policy(Samples.pid(), WINDOW);
        Policy bold = Samples.policy(Samples.gains(Samples.pid(), 1, 0.1, 0), WINDOW);
        Live live = live(Controller.ADMISSION, policy, 20);

        List<Decision> other = ControlReplay.decisions(replay(Controller.ADMISSION, bold, live));

        assertThat(other).isNotEqualTo(live.decisions);
        assertThat(other)
                .extracting(Decision::issuedAtMillis)
                .containsExactlyElementsOf(
                        live.decisions.stream().map(Decision::issuedAtMillis).toList());
    }

    @Test
    void withoutRecordedDecisionsAJobIsAssumedThatSeesWindowsAfterALag() {
        Policy policy = Samples.policy(Samples.pid(), WINDOW);
        Live live = live(Controller.ADMISSION, policy, 21);

        List<Moment> moments = Moments.assumed(live.windows, 1_000, Samples.PERIOD);

        assertThat(moments).extracting(Moment::atMillis).isSorted();
        assertThat(moments.stream().flatMap(m -> m.windows().stream()))
                .containsExactlyElementsOf(live.windows);
        assertThat(moments.stream().filter(m -> m.windows().isEmpty()).count()).isEqualTo(120);
        assertThat(Moments.assumed(List.of(), 1_000, Samples.PERIOD)).isEmpty();
        assertThat(Moments.lagMillis(live.decisions).orElseThrow()).isBetween(1_000L, 3_000L);
        assertThat(Moments.lagMillis(List.of())).isEmpty();
    }

    @Test
    void aRecordingThatBeganLaterGoesOnFromWhatWasInForce() {
        Policy policy = Samples.policy(Samples.pid(), WINDOW);
        Live live = live(Controller.ADMISSION, policy, 22);
        List<Decision> later = live.decisions.subList(200, live.decisions.size());

        assertThat(ControlReplay.isWhole(live.decisions)).isTrue();
        assertThat(ControlReplay.isWhole(later)).isFalse();
        assertThat(ControlReplay.isWhole(List.of())).isFalse();
        AdmissionState start = ControlReplay.goingOnFrom(later);
        Decision first =
                ControlReplay.decisions(
                                ControlReplay.replay(
                                        Controller.ADMISSION,
                                        start,
                                        moment -> policy,
                                        Moments.recorded(List.of(), later)))
                        .get(1);
        assertThat(first.scope()).isEqualTo("search/low");
        assertThat(first.previous()).isEqualTo(later.get(1).previous());
        assertThat(ControlReplay.goingOnFrom(List.of())).isEqualTo(AdmissionState.initial());
    }

    @Test
    void everyDecisionHasAnAccountInWords() {
        Policy policy = Samples.policy(Samples.pid(), WINDOW);
        for (Replayed<AdmissionState> one :
                replay(Controller.ADMISSION, policy, live(Controller.ADMISSION, policy, 23))) {
            for (Decision decision : one.decisions()) {
                List<String> account =
                        AdmissionAccount.of(one.before(), policy, one.window(), decision);
                assertThat(account.get(0)).startsWith("Input: ");
                assertThat(account.get(account.size() - 1))
                        .startsWith("Decision: " + decision.mode())
                        .contains(decision.reason());
            }
        }
        for (Replayed<SamplingMemory> one :
                replay(Controller.SAMPLING, policy, live(Controller.SAMPLING, policy, 23))) {
            for (Decision decision : one.decisions()) {
                assertThat(SamplingAccount.of(one.before(), policy, one.window(), decision))
                        .hasSizeBetween(3, 4)
                        .allMatch(line -> line.endsWith("."));
            }
        }
    }

    @Test
    void anAccountTellsTheControllersArithmeticAndTheGuardThatHeld() {
        Policy policy = Samples.policy(Samples.pid(), WINDOW);
        Live live = live(Controller.ADMISSION, policy, 24);
        List<String> accounts =
                replay(Controller.ADMISSION, policy, live).stream()
                        .filter(r -> r.window().isPresent() && !r.decisions().isEmpty())
                        .map(
                                r ->
                                        String.join(
                                                "\n",
                                                AdmissionAccount.of(
                                                        r.before(),
                                                        policy,
                                                        r.window(),
                                                        r.decisions().get(1))))
                        .toList();

        assertThat(accounts)
                .anySatisfy(
                        a ->
                                assertThat(a)
                                        .contains("Signal: QUALITY, 0.4 x ")
                                        .contains("Step: PID from ")
                                        .contains(" by 0.3 x (")
                                        .contains("none of those around the controller"))
                .anySatisfy(a -> assertThat(a).contains("Guard: HELD_WINDOW_NOT_FULL holds it"));
    }
}
