package io.kipimo.core.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import io.kipimo.core.admission.AdmissionAccount;
import io.kipimo.core.admission.AdmissionLoop;
import io.kipimo.core.admission.AdmissionState;
import io.kipimo.core.admission.SampleWindows;
import io.kipimo.core.guard.Controller;
import io.kipimo.core.guard.DecisionReason;
import io.kipimo.core.guard.MoverTurn;
import io.kipimo.core.guard.Step;
import io.kipimo.core.guard.StepContext;
import io.kipimo.core.sampling.SamplingAccount;
import io.kipimo.core.sampling.SamplingLoop;
import io.kipimo.core.sampling.SamplingMemory;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.ControllerKind;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.Signal;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.ReplicationDecisionBuilder;
import io.kipimo.schemas.replication.TierFactor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A job with a controller, and its replay from the job's recorded input and output. */
class ControlReplayTest {
    private static final long WINDOW = 3 * SampleWindows.PERIOD;
    private static final AdmissionLoop ADMISSION = new AdmissionLoop();
    private static final SamplingLoop SAMPLING = new SamplingLoop();
    private static final RecordedLock FREE = new RecordedLock(List.of());

    /** Input and output of a job. */
    private record Live(List<QualityWindow> windows, List<ReplicationDecision> replication, List<Decision> decisions) {}

    /** A decision of another job, and its arrival. */
    private record Heard(long atMillis, ReplicationDecision decision) {}

    private static QualityWindow sliding(long end, double halfWidth, int samples) {
        return SampleWindows.window(
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

    private static <S> Live live(
            Controller<S, QualityWindow, Decision, Policy> controller, S initial, Policy policy, long seed) {
        return live(controller, initial, policy, seed, List.of());
    }

    /** Windows arrive one to three seconds after their end, with heartbeats in between, and a pause. */
    private static <S> Live live(
            Controller<S, QualityWindow, Decision, Policy> controller,
            S initial,
            Policy policy,
            long seed,
            List<Heard> replication) {
        Random random = new Random(seed);
        List<QualityWindow> windows = new ArrayList<>();
        List<Decision> decisions = new ArrayList<>();
        S state = initial;
        double quality = 0.95;
        for (int i = 1; i <= 120; i++) {
            long end = SampleWindows.START + i * SampleWindows.PERIOD;
            Step<S, Decision> beat = controller.heartbeat(state, context(policy, replication, end - 4_000));
            state = beat.next();
            decisions.addAll(beat.decisions());
            if (i > 60 && i < 75) {
                continue;
            }
            quality = Math.max(0.5, Math.min(0.98, quality + 0.05 * random.nextGaussian()));
            for (QualityWindow window : List.of(
                    sliding(end, 0.4 * random.nextDouble() + 0.001, 400),
                    SampleWindows.batch(quality + 0.01 * random.nextDouble(), end))) {
                windows.add(window);
                long now = end + 1_000 + random.nextInt(2_000);
                Step<S, Decision> step = controller.step(state, window, context(policy, replication, now));
                state = step.next();
                decisions.addAll(step.decisions());
            }
        }
        return new Live(windows, replication.stream().map(Heard::decision).toList(), decisions);
    }

    private static StepContext<Policy> context(Policy policy, List<Heard> replication, long nowMillis) {
        MoverTurn lock = MoverTurn.FREE;
        for (Heard heard : replication) {
            if (heard.atMillis <= nowMillis) {
                lock = AdmissionLoop.lockAfter(lock, heard.decision);
            }
        }
        return new StepContext<>(policy, lock, 3, nowMillis);
    }

    /**
     * Trials of five periods with three between them. Decisions are issued around the arrival of control batches, and
     * reach the admission controller up to nine tenths of a second later.
     */
    private static List<Heard> trials(long seed) {
        Random random = new Random(seed);
        List<Heard> all = new ArrayList<>();
        for (int i = 1; i <= 120; i++) {
            long issued = SampleWindows.START + i * SampleWindows.PERIOD + 800 + random.nextInt(2_200);
            boolean inTrial = i % 8 >= 3;
            all.add(new Heard(
                    issued + random.nextInt(900),
                    ReplicationDecisionBuilder.builder()
                            .service("search")
                            .epoch(2)
                            .sequence(i)
                            .issuedAtMillis(issued)
                            .asOfMillis(issued - 500)
                            .validUntilMillis(issued + 60_000)
                            .tiers(List.of(new TierFactor("front", 2, 1, 1, false, false)))
                            .mode(inTrial ? DecisionMode.ACTIVE : DecisionMode.HOLD)
                            .reason(inTrial ? "TRIAL_RUNNING" : "RESTING")
                            .inTrial(inTrial)
                            .build()));
        }
        return all;
    }

    private static <S> List<Replayed<S>> replay(
            Controller<S, QualityWindow, Decision, Policy> controller, S initial, Policy policy, Live live) {
        // A topic is read partition by partition, and its records are delivered at least once.
        return ControlReplay.replay(
                controller,
                initial,
                moment -> policy,
                RecordedInvocations.recorded(
                        live.windows, shuffled(live.decisions), new RecordedLock(shuffled(live.replication))));
    }

    private static <T> List<T> shuffled(List<T> records) {
        List<T> shuffled = new ArrayList<>(records);
        shuffled.addAll(records.subList(records.size() / 20, records.size() / 6));
        Collections.shuffle(shuffled, new Random(1));
        return shuffled;
    }

    @Test
    void decisionsThatWaitedForATrialComeOutAsTheyWere() {
        int held = 0;
        int opened = 0;
        for (ControllerKind kind : List.of(ControllerKind.PID, ControllerKind.AIMD)) {
            Policy policy = SampleWindows.policy(SampleWindows.admission(kind, Signal.QUALITY), WINDOW);
            for (long seed = 30; seed < 30 + Effort.of(5, 20); seed++) {
                Live live = live(ADMISSION, AdmissionState.initial(), policy, seed, trials(seed));
                held += count(live, DecisionReason.HELD_AWAITING_TURN);
                opened += count(live, DecisionReason.OPENED);

                assertThat(ControlReplay.decisions(replay(ADMISSION, AdmissionState.initial(), policy, live)))
                        .as("%s, seed %s", kind, seed)
                        .isEqualTo(live.decisions);
            }
        }
        assertThat(held).isGreaterThan(Effort.of(25, 100));
        assertThat(opened).isGreaterThan(Effort.of(25, 100));
    }

    private static int count(Live live, DecisionReason reason) {
        return (int) live.decisions.stream()
                .filter(d -> d.reason().equals(reason.name()))
                .count();
    }

    @Test
    void theAccountOfADecisionThatWaitedForATrialNamesTheGuard() {
        Policy policy = SampleWindows.policy(SampleWindows.pid(), WINDOW);
        Live live = live(ADMISSION, AdmissionState.initial(), policy, 30, trials(30));

        List<List<String>> accounts = replay(ADMISSION, AdmissionState.initial(), policy, live).stream()
                .filter(r -> r.window().isPresent() && !r.decisions().isEmpty())
                .filter(r -> isHeldByTrial(r.decisions().get(1)))
                .map(r -> AdmissionAccount.of(
                        r.before(), r.window(), r.context(), r.decisions().get(1)))
                .toList();

        assertThat(accounts).isNotEmpty().allSatisfy(a -> assertThat(a)
                .anyMatch(l -> l.startsWith("Guard: HELD_AWAITING_TURN")));
    }

    private static boolean isHeldByTrial(Decision decision) {
        return decision.reason().equals(DecisionReason.HELD_AWAITING_TURN.name());
    }

    @Test
    void whetherAllDecisionsOnReplicationAreRecordedIsKnown() {
        List<ReplicationDecision> all = trials(7).stream().map(Heard::decision).toList();
        List<ReplicationDecision> gap = new ArrayList<>(all);
        gap.remove(50);

        assertThat(RecordedLock.isWhole(shuffled(all))).isTrue();
        assertThat(RecordedLock.isWhole(gap)).isFalse();
        assertThat(RecordedLock.isWhole(all.subList(1, 9))).isFalse();
        assertThat(RecordedLock.isWhole(List.of())).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Signal.class)
    void theSamePolicyDecidesAsTheJobDidWhateverTheSignal(Signal signal) {
        for (ControllerKind kind : List.of(ControllerKind.PID, ControllerKind.AIMD)) {
            Policy policy = SampleWindows.policy(SampleWindows.admission(kind, signal), WINDOW);
            Live live = live(ADMISSION, AdmissionState.initial(), policy, 17);

            List<Decision> again = ControlReplay.decisions(replay(ADMISSION, AdmissionState.initial(), policy, live));

            assertThat(again).as("%s on %s", kind, signal).isEqualTo(live.decisions);
        }
    }

    @Test
    void shadowOverridesAndNoControlAreReplayedToo() {
        Policy open = SampleWindows.policy(SampleWindows.admission(ControllerKind.NO_CONTROL, Signal.QUALITY), WINDOW);
        Policy shadow = SampleWindows.policy(SampleWindows.shadow(SampleWindows.pid()), WINDOW);
        Policy overridden = SampleWindows.policy(SampleWindows.pid(), WINDOW)
                .withOverride(
                        "low",
                        Optional.of(new ManualOverride(
                                0.3, SampleWindows.START + 50 * SampleWindows.PERIOD, "ann", "sale")));
        for (Policy policy : List.of(shadow, overridden, open)) {
            Live live = live(ADMISSION, AdmissionState.initial(), policy, 18);
            assertThat(ControlReplay.decisions(replay(ADMISSION, AdmissionState.initial(), policy, live)))
                    .isEqualTo(live.decisions);
        }
    }

    @Test
    void samplingIsReplayedToo() {
        Policy policy = SampleWindows.policy(SampleWindows.pid(), WINDOW);
        Live live = live(SAMPLING, SamplingMemory.initial(), policy, 19);

        assertThat(live.decisions.stream().map(Decision::value).distinct().count())
                .isGreaterThan(20);
        assertThat(ControlReplay.decisions(replay(SAMPLING, SamplingMemory.initial(), policy, live)))
                .isEqualTo(live.decisions);
    }

    @Test
    void otherGainsDecideOtherwiseAtTheSameMoments() {
        Policy policy = SampleWindows.policy(SampleWindows.pid(), WINDOW);
        Policy bold = SampleWindows.policy(SampleWindows.gains(SampleWindows.pid(), 1, 0.1, 0), WINDOW);
        Live live = live(ADMISSION, AdmissionState.initial(), policy, 20);

        List<Decision> other = ControlReplay.decisions(replay(ADMISSION, AdmissionState.initial(), bold, live));

        assertThat(other).isNotEqualTo(live.decisions);
        assertThat(other)
                .extracting(Decision::issuedAtMillis)
                .containsExactlyElementsOf(
                        live.decisions.stream().map(Decision::issuedAtMillis).toList());
    }

    @Test
    void withoutRecordedDecisionsAJobIsAssumedThatSeesWindowsAfterALag() {
        Policy policy = SampleWindows.policy(SampleWindows.pid(), WINDOW);
        Live live = live(ADMISSION, AdmissionState.initial(), policy, 21);

        List<RecordedInvocation> moments = RecordedInvocations.assumed(live.windows, FREE, 1_000, SampleWindows.PERIOD);

        assertThat(moments).extracting(RecordedInvocation::atMillis).isSorted();
        assertThat(moments.stream().flatMap(m -> m.windows().stream())).containsExactlyElementsOf(live.windows);
        assertThat(moments.stream().filter(m -> m.windows().isEmpty()).count()).isEqualTo(120);
        assertThat(RecordedInvocations.assumed(List.of(), FREE, 1_000, SampleWindows.PERIOD))
                .isEmpty();
        assertThat(RecordedInvocations.lagMillis(live.decisions).orElseThrow()).isBetween(1_000L, 3_000L);
        assertThat(RecordedInvocations.lagMillis(List.of())).isEmpty();
    }

    @Test
    void aLaterRecordingContinuesFromTheFractionsInForce() {
        Policy policy = SampleWindows.policy(SampleWindows.pid(), WINDOW);
        Live live = live(ADMISSION, AdmissionState.initial(), policy, 22);
        List<Decision> later = live.decisions.subList(200, live.decisions.size());

        assertThat(ControlReplay.isWhole(live.decisions)).isTrue();
        assertThat(ControlReplay.isWhole(later)).isFalse();
        assertThat(ControlReplay.isWhole(List.of())).isFalse();
        AdmissionState start = ControlReplay.goingOnFrom(later);
        Decision first = ControlReplay.decisions(ControlReplay.replay(
                        ADMISSION, start, moment -> policy, RecordedInvocations.recorded(List.of(), later, FREE)))
                .get(1);
        assertThat(first.scope()).isEqualTo("search/low");
        assertThat(first.previous()).isEqualTo(later.get(1).previous());
        assertThat(ControlReplay.goingOnFrom(List.of())).isEqualTo(AdmissionState.initial());
    }

    @Test
    void everyDecisionHasAnAccountInWords() {
        Policy policy = SampleWindows.policy(SampleWindows.pid(), WINDOW);
        for (Replayed<AdmissionState> one : replay(
                ADMISSION, AdmissionState.initial(), policy, live(ADMISSION, AdmissionState.initial(), policy, 23))) {
            for (Decision decision : one.decisions()) {
                List<String> account = AdmissionAccount.of(one.before(), one.window(), one.context(), decision);
                assertThat(account.get(0)).startsWith("Input: ");
                assertThat(account.get(account.size() - 1))
                        .startsWith("Decision: " + decision.mode())
                        .contains(decision.reason());
            }
        }
        for (Replayed<SamplingMemory> one : replay(
                SAMPLING, SamplingMemory.initial(), policy, live(SAMPLING, SamplingMemory.initial(), policy, 23))) {
            for (Decision decision : one.decisions()) {
                assertThat(SamplingAccount.of(one.before(), one.window(), one.context(), decision))
                        .hasSizeBetween(3, 4)
                        .allMatch(line -> line.endsWith("."));
            }
        }
    }

    @Test
    void anAccountShowsTheArithmeticAndTheGuardThatHeld() {
        Policy policy = SampleWindows.policy(SampleWindows.pid(), WINDOW);
        Live live = live(ADMISSION, AdmissionState.initial(), policy, 24);
        List<String> accounts = replay(ADMISSION, AdmissionState.initial(), policy, live).stream()
                .filter(r -> r.window().isPresent() && !r.decisions().isEmpty())
                .map(r -> String.join(
                        "\n",
                        AdmissionAccount.of(
                                r.before(),
                                r.window(),
                                r.context(),
                                r.decisions().get(1))))
                .toList();

        assertThat(accounts)
                .anySatisfy(a -> assertThat(a)
                        .contains("Signal: QUALITY, 0.4 x ")
                        .contains("Step: PID from ")
                        .contains(" by 0.3 x (")
                        .contains("no guard of the controller"))
                .anySatisfy(a -> assertThat(a).contains("Guard: HELD_WINDOW_NOT_FULL holds it"))
                .anySatisfy(a -> assertThat(a).contains("since that share has changed by itself"))
                .anySatisfy(a -> assertThat(a).containsPattern("Effect: \\d+ steps down since "));
    }
}
