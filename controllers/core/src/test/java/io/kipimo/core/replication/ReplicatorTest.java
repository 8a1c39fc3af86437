package io.kipimo.core.replication;

import static io.kipimo.core.replication.TwoTiers.factors;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.guard.MoverTurn;
import io.kipimo.core.guard.MoverTurn.Mover;
import io.kipimo.core.guard.Step;
import io.kipimo.core.guard.StepContext;
import io.kipimo.core.tails.LatencySketch;
import io.kipimo.core.tails.ServerCapacity;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.TrialPolicy;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.TrialEvidence;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** One tier of ten servers, with its measurements window by window. */
class ReplicatorTest {
    private static final long WINDOW = 10_000;
    private static final ReplicationSettings SETTINGS = settings(0);
    private static final List<String> TIERS = List.of("page", "data");
    private static final Replicator REPLICATOR = new Replicator();

    private final SplittableRandom random = new SplittableRandom(11);
    private ReplicatorState state = ReplicatorState.initial(1);
    private Instructions instructions = new Instructions("shop", TIERS, SETTINGS);
    private MoverTurn lock = MoverTurn.FREE;
    private long now = 1_000_000;

    private StepContext<Instructions> at(long epoch, long nowMillis) {
        return new StepContext<>(instructions, lock, epoch, nowMillis);
    }

    private static ReplicationSettings settings(long objectiveMicros) {
        return ReplicationSettingsBuilder.builder()
                .target(TargetMetric.P95)
                .objectiveMicros(objectiveMicros)
                .limits(new FeasibilityLimits(0.5, 0.8, 1))
                .holdUtilisation(0.9)
                .trials(TrialPolicy.DEFAULT)
                .loadChange(0.25)
                .variabilityChange(0.5)
                .smoothingMillis(300_000)
                .staleAfterMillis(30_000)
                .leaseMillis(30_000)
                .build();
    }

    private ReplicationReading reading(double meanMicros, double requestsPerSecond) {
        LatencySketch latency = new LatencySketch();
        for (int i = 0; i < 100; i++) {
            latency.record((long) (meanMicros * (0.5 + random.nextDouble())));
        }
        return new ReplicationReading(
                now,
                now + WINDOW,
                List.of(new TierReading(
                        new ServerCapacity(10, 1, 100_000),
                        4,
                        Optional.empty(),
                        requestsPerSecond,
                        requestsPerSecond,
                        latency,
                        latency)));
    }

    private Optional<ReplicationDecision> window(double meanMicros, double requestsPerSecond) {
        ReplicationReading reading = reading(meanMicros, requestsPerSecond);
        now += WINDOW;
        Step<ReplicatorState, ReplicationDecision> step = REPLICATOR.step(state, reading, at(3, now));
        state = step.next();
        return step.decision();
    }

    private ReplicationDecision heartbeat() {
        Step<ReplicatorState, ReplicationDecision> step = REPLICATOR.heartbeat(state, at(3, now));
        state = step.next();
        return step.decision().orElseThrow();
    }

    private void untilTrial(double meanMicros) {
        for (int i = 0; i < 100 && !state.isMoving(); i++) {
            window(meanMicros, 10);
        }
        assertThat(state.isMoving()).isTrue();
        assertThat(state.inForce()).isEqualTo(Factors.of(2));
    }

    private ReplicationDecision untilJudged(double meanMicros) {
        for (int i = 0; i < 100; i++) {
            ReplicationDecision decision = window(meanMicros, 10).orElseThrow();
            if (!state.isMoving()) {
                return decision;
            }
        }
        throw new AssertionError("not judged in 100 windows");
    }

    @Test
    void measuresABaselineBeforeItTriesAnything() {
        for (int i = 0; i < 9; i++) {
            assertThat(window(100_000, 10).orElseThrow().reason())
                    .isEqualTo(ReplicationReason.MEASURING_BASELINE.name());
        }
        assertThat(window(100_000, 10).orElseThrow().reason()).isEqualTo(ReplicationReason.TRIAL_STARTED.name());
    }

    @Test
    void keepsATrialThatIsBetterWithConfidence() {
        untilTrial(100_000);
        ReplicationDecision kept = untilJudged(60_000);
        assertThat(kept.reason()).isEqualTo(ReplicationReason.TRIAL_KEPT.name());
        assertThat(factors(kept)).isEqualTo(Factors.of(2));
        assertThat(kept.tiers().get(0).fallback()).isEqualTo(2);
        TrialEvidence evidence = kept.evidence().orElseThrow();
        assertThat(evidence.highMicros()).isNegative();
        assertThat(evidence.trialRequests()).isGreaterThanOrEqualTo(200);
        assertThat(evidence.changeMicros()).isBetween(evidence.lowMicros(), evidence.highMicros());
    }

    @Test
    void takesBackAWorseTrialAndRemovesItsDirection() {
        untilTrial(100_000);
        assertThat(untilJudged(130_000).reason()).isEqualTo(ReplicationReason.TRIAL_NO_BETTER.name());
        assertThat(state.inForce()).isEqualTo(Factors.of(1));
        for (int i = 0; i < 30; i++) {
            window(100_000, 10);
        }
        assertThat(state.ended()).isTrue();
        assertThat(state.trials()).isEqualTo(1);
    }

    /** Heartbeats occur between windows; a RESTING one would seem to end the search. */
    @Test
    void restsOnlyWhenTheSearchHasEnded() {
        while (!state.isMoving()) {
            window(100_000, 10);
            assertThat(heartbeat().reason()).isNotEqualTo(ReplicationReason.RESTING.name());
        }
        assertThat(untilJudged(130_000).reason()).isEqualTo(ReplicationReason.TRIAL_NO_BETTER.name());
        assertThat(heartbeat().reason()).isEqualTo(ReplicationReason.SETTLING.name());
        while (!state.ended()) {
            assertThat(heartbeat().reason()).isNotEqualTo(ReplicationReason.RESTING.name());
            window(100_000, 10);
        }
        assertThat(heartbeat().reason()).isEqualTo(ReplicationReason.RESTING.name());
    }

    @Test
    void aTrialHasFallbackFactorsAndALease() {
        untilTrial(100_000);
        ReplicationDecision running = window(60_000, 10).orElseThrow();
        assertThat(factors(running)).isEqualTo(Factors.of(2));
        assertThat(running.tiers().get(0).fallback()).isEqualTo(1);
        assertThat(running.validUntilMillis()).isEqualTo(now + 30_000);
        assertThat(running.tiers().get(0).unevenCosts()).isTrue();
    }

    @Test
    void aTrialThatViolatesTheSlaIsTakenBackAtOnceEvenWhileItSettles() {
        instructions = new Instructions("shop", TIERS, settings(200_000));
        untilTrial(100_000);
        ReplicationDecision decision = window(400_000, 10).orElseThrow();
        assertThat(decision.reason()).isEqualTo(ReplicationReason.ROLLED_BACK_SLA.name());
        assertThat(factors(decision)).isEqualTo(Factors.of(1));
    }

    @Test
    void aServiceThatViolatesTheSlaAnywayMayTry() {
        instructions = new Instructions("shop", TIERS, settings(50_000));
        untilTrial(100_000);
        assertThat(untilJudged(60_000).reason()).isEqualTo(ReplicationReason.TRIAL_KEPT.name());
    }

    @Test
    void loadThatChangesDuringATrialMakesItsComparisonWorthless() {
        untilTrial(100_000);
        String last = null;
        for (int i = 0; i < 60 && state.isMoving(); i++) {
            last = window(99_000, 30).orElseThrow().reason();
        }
        assertThat(last).isEqualTo(ReplicationReason.ROLLED_BACK_LOAD.name());
        assertThat(state.inForce()).isEqualTo(Factors.of(1));
    }

    @Test
    void withoutInputATrialEndsAndProvenFactorsStayForEver() {
        untilTrial(100_000);
        now += 20_000;
        assertThat(heartbeat().reason()).isEqualTo(ReplicationReason.TRIAL_RUNNING.name());
        now += 20_000;
        ReplicationDecision ended = heartbeat();
        assertThat(ended.reason()).isEqualTo(ReplicationReason.ROLLED_BACK_STALE.name());
        assertThat(factors(ended)).isEqualTo(Factors.of(1));
        now += 3_600_000;
        assertThat(factors(heartbeat())).isEqualTo(Factors.of(1));
        assertThat(heartbeat().mode()).isEqualTo(DecisionMode.HOLD);
    }

    @Test
    void withoutDecisionsArbitersEndATrial_soItSettlesAgain() {
        untilTrial(100_000);
        now += 90_000;
        ReplicationReading withoutCopies = reading(100_000, 10);
        now += 10_000;
        Step<ReplicatorState, ReplicationDecision> back = REPLICATOR.step(state, withoutCopies, at(4, now));
        assertThat(back.decision().orElseThrow().reason()).isEqualTo(ReplicationReason.SETTLING.name());
        assertThat(factors(back.decision().orElseThrow())).isEqualTo(Factors.of(2));
        assertThat(back.next().trial().orElseThrow().measured()).isEqualTo(MeasuredFactors.NOTHING);
        state = back.next();
        assertThat(window(60_000, 10).orElseThrow().reason()).isEqualTo(ReplicationReason.SETTLING.name());
        assertThat(untilJudged(60_000).reason()).isEqualTo(ReplicationReason.TRIAL_KEPT.name());
    }

    @Test
    void saysNothingOnWindowsOfABacklogNorOnOnesSeen() {
        untilTrial(100_000);
        ReplicationReading old = reading(100_000, 10);
        now += 100_000;
        assertThat(REPLICATOR.step(state, old, at(3, now)).decision()).isEmpty();
        now -= 100_000;
        window(100_000, 10);
        assertThat(REPLICATOR.step(state, old, at(3, now)).decision()).isEmpty();
    }

    @Test
    void waitsForItsTurnAndGivesItUp() {
        lock = lock.taken(Mover.ADMISSION, now, 1_000_000_000);
        for (int i = 0; i < 12; i++) {
            window(100_000, 10);
        }
        assertThat(window(100_000, 10).orElseThrow().reason()).isEqualTo(ReplicationReason.HELD_AWAITING_TURN.name());
        lock = MoverTurn.FREE;
        untilTrial(100_000);
        lock = lock.taken(Mover.ADMISSION, now, 1_000_000_000);
        assertThat(window(60_000, 10).orElseThrow().reason()).isEqualTo(ReplicationReason.ROLLED_BACK_TURN.name());
        assertThat(state.inForce()).isEqualTo(Factors.of(1));
    }

    @Test
    void shadowPublishesTrialsAndStartsNone() {
        instructions = new Instructions("shop", TIERS, SETTINGS, false, Optional.empty(), true, 1);
        ReplicationDecision decision = null;
        for (int i = 0; i < 20; i++) {
            decision = window(100_000, 10).orElseThrow();
        }
        assertThat(decision.mode()).isEqualTo(DecisionMode.SHADOW);
        assertThat(factors(decision)).isEqualTo(Factors.of(2));
        assertThat(state.inForce()).isEqualTo(Factors.of(1));
    }

    @Test
    void personsGoBeforeAllElse() {
        instructions = new Instructions("shop", TIERS, SETTINGS, false, Optional.of(Factors.of(3)), false, 1);
        ReplicationDecision override = heartbeat();
        assertThat(factors(override)).isEqualTo(Factors.of(3));
        assertThat(override.mode()).isEqualTo(DecisionMode.MANUAL);
        instructions = new Instructions("shop", TIERS, SETTINGS, true, Optional.of(Factors.of(3)), false, 1);
        assertThat(factors(heartbeat())).isEqualTo(Factors.of(1));
        assertThat(heartbeat().reason()).isEqualTo(ReplicationReason.KILL_SWITCH.name());
    }

    @Test
    void continuesFromTheFactorsInForce() {
        state = ReplicatorState.resume(Factors.of(3));
        assertThat(factors(heartbeat())).isEqualTo(Factors.of(3));
        assertThat(heartbeat().reason()).isEqualTo(ReplicationReason.HELD_NO_INPUT.name());
    }

    @Test
    void aNewEpochStartsItsSequenceAnew() {
        heartbeat();
        heartbeat();
        Step<ReplicatorState, ReplicationDecision> step = REPLICATOR.heartbeat(state, at(9, now));
        assertThat(step.decision().orElseThrow().epoch()).isEqualTo(9);
        assertThat(step.decision().orElseThrow().sequence()).isEqualTo(1);
    }

    @Test
    void impossibleWindowsChangeNothing() {
        ReplicationReading future = reading(100_000, 10);
        Step<ReplicatorState, ReplicationDecision> step = REPLICATOR.step(state, future, at(3, now - 100_000));
        assertThat(step.decision().orElseThrow().reason()).isEqualTo(ReplicationReason.HELD_IMPOSSIBLE_INPUT.name());
        ReplicatorState twoTiers = ReplicatorState.initial(2);
        assertThat(REPLICATOR.step(twoTiers, future, at(3, now + WINDOW)).next().lastWindowMillis())
                .isZero();
    }

    /** One busy window; otherwise the search would try and remove the same copy for ever. */
    @Test
    void trialThatTurnsOutToBeTooMuch_isNotTriedAgainFromThere() {
        untilTrial(100_000);

        ReplicationDecision lowered = window(100_000, 50).orElseThrow();

        assertThat(lowered.reason()).isEqualTo(ReplicationReason.LOWERED_INFEASIBLE.name());
        assertThat(factors(lowered)).isEqualTo(Factors.of(1));
        for (int i = 0; i < 40; i++) {
            assertThat(factors(window(100_000, 10).orElseThrow())).isEqualTo(Factors.of(1));
        }
        assertThat(state.ended()).isTrue();
    }

    private void untilRest(double meanMicros) {
        instructions = new Instructions("shop", TIERS, settings(200_000));
        untilTrial(meanMicros);
        untilJudged(meanMicros);
        for (int i = 0; i < 100 && !state.ended(); i++) {
            window(meanMicros, 10);
        }
        assertThat(state.ended()).isTrue();
        assertThat(state.inForce()).isEqualTo(Factors.of(1));
    }

    /** Requests come from the fastest of two copies, of which one in four takes 400 ms. */
    private ReplicationDecision slowServer(int factor) {
        LatencySketch copies = new LatencySketch();
        LatencySketch requests = new LatencySketch();
        for (int i = 0; i < 100; i++) {
            copies.record(i % 4 == 0 ? 400_000 : 100_000);
            requests.record(i % 4 == 0 && factor == 1 ? 400_000 : 100_000);
        }
        ReplicationReading reading = new ReplicationReading(
                now,
                now + WINDOW,
                List.of(new TierReading(
                        new ServerCapacity(10, 1, 100_000), 1, Optional.empty(), 10, 10, requests, copies)));
        now += WINDOW;
        Step<ReplicatorState, ReplicationDecision> step = REPLICATOR.step(state, reading, at(3, now));
        state = step.next();
        return step.decision().orElseThrow();
    }

    @Test
    void aMissedTargetGetsACopyInTheWindowThatShowsIt_andLosesItInTheFirstInWhichSingleCopiesDo() {
        untilRest(100_000);
        assertThat(slowServer(1).reason()).isEqualTo(ReplicationReason.TRIAL_STARTED.name());
        assertThat(state.inForce()).isEqualTo(Factors.of(2));
        ReplicationDecision judged = slowServer(2);
        for (int i = 0; i < 5 && state.isMoving(); i++) {
            judged = slowServer(2);
        }
        assertThat(judged.reason()).isEqualTo(ReplicationReason.TRIAL_KEPT.name());
        for (int i = 0; i < 30; i++) {
            slowServer(2);
        }
        assertThat(state.search().current().at(0)).isGreaterThanOrEqualTo(2);
        for (int i = 0; i < 60 && !state.inForce().isOnes(); i++) {
            window(100_000, 10);
        }
        assertThat(state.inForce()).isEqualTo(Factors.of(1));
        for (int i = 0; i < 5; i++) {
            window(100_000, 10);
        }
        assertThat(state.ended()).as("the search is as before").isTrue();
        assertThat(state.usual()).isEmpty();
    }

    @Test
    void copiesThatDoNotHelpAreTakenBack_andNoneIsSentAgainUntilTheTargetWasKept() {
        untilRest(100_000);
        for (int i = 0; i < 20 && state.inForce().isOnes(); i++) {
            slowServer(1);
        }
        long tried = 0;
        for (int i = 0; i < 60; i++) {
            // Copies change nothing.
            slowServer(1);
            tried += state.inForce().isOnes() ? 0 : 1;
        }
        assertThat(tried).as("windows with a copy").isLessThanOrEqualTo(8);
        assertThat(slowServer(1).reason()).isEqualTo(ReplicationReason.COPIES_DO_NOT_HELP.name());
        assertThat(heartbeat().reason()).isEqualTo(ReplicationReason.COPIES_DO_NOT_HELP.name());
        assertThat(state.trials()).isEqualTo(2);
    }

    @Test
    void aReturnThatMissesTheTargetIsTakenBack_andTriedAgainOnlyAfterSingleCopiesDidForAMinute() {
        untilRest(100_000);
        slowServer(1);
        for (int i = 0; i < 10 && state.isMoving(); i++) {
            slowServer(2);
        }
        assertThat(state.inForce()).isEqualTo(Factors.of(2));
        for (int i = 0; i < 10 && !Relief.isReturn(state); i++) {
            window(100_000, 10);
        }
        assertThat(state.inForce()).isEqualTo(Factors.of(1));
        assertThat(slowServer(1).reason()).isEqualTo(ReplicationReason.ROLLED_BACK_SLA.name());
        assertThat(state.inForce()).isEqualTo(Factors.of(2));
        for (int i = 0; i < 12; i++) {
            // Well for 40 s, then bad for 10.
            if (i % 5 == 4) {
                slowServer(2);
            } else {
                window(100_000, 10);
            }
            assertThat(Relief.isReturn(state)).isFalse();
        }
    }
}
