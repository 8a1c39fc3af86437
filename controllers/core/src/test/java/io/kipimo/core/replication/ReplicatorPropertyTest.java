package io.kipimo.core.replication;

import static io.kipimo.core.replication.TwoTiers.factors;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import io.kipimo.core.guard.MoverTurn;
import io.kipimo.core.guard.Step;
import io.kipimo.core.guard.StepContext;
import io.kipimo.schemas.policy.TrialPolicy;
import io.kipimo.schemas.replication.ReplicationDecision;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

/** Invariants of the replicator under any load. */
class ReplicatorPropertyTest {
    private static final double HOLD = 0.9;

    /** Decisions take effect in the middle of a window, so that every change straddles one. */
    private static final class Run {
        final TwoTiers service;
        final ReplicationSettings settings;
        final List<ReplicationDecision> decisions = new ArrayList<>();
        ReplicatorState state = ReplicatorState.initial(2);
        Factors before = Factors.ones(2);
        long nowMillis = 1_000_000;

        Run(TwoTiers service, ReplicationSettings settings) {
            this.service = service;
            this.settings = settings;
        }

        ReplicationDecision window() {
            ReplicationReading old = service.window(nowMillis, before);
            ReplicationReading window =
                    before.equals(state.inForce()) ? old : halves(old, service.window(nowMillis, state.inForce()));
            before = state.inForce();
            nowMillis += TwoTiers.WINDOW_MILLIS;
            Step<ReplicatorState, ReplicationDecision> step = new Replicator()
                    .step(
                            state,
                            window,
                            new StepContext<>(
                                    new Instructions("wiki", List.of("page", "data"), settings),
                                    MoverTurn.FREE,
                                    7,
                                    nowMillis));
            state = step.next();
            ReplicationDecision decision = step.decision().orElseThrow();
            decisions.add(decision);
            return decision;
        }

        private static ReplicationReading halves(ReplicationReading a, ReplicationReading b) {
            List<TierReading> tiers = new ArrayList<>();
            for (int i = 0; i < a.tiers().size(); i++) {
                TierReading one = a.tiers().get(i);
                TierReading other = b.tiers().get(i);
                tiers.add(new TierReading(
                        one.servers(),
                        one.demandVariation(),
                        one.tokens(),
                        (one.requestsPerSecond() + other.requestsPerSecond()) / 2,
                        (one.connectionsPerSecond() + other.connectionsPerSecond()) / 2,
                        one.requestLatency().plus(other.requestLatency()),
                        one.copyLatency().plus(other.copyLatency())));
            }
            return new ReplicationReading(a.startMillis(), a.endMillis(), tiers);
        }
    }

    private static ReplicationSettings settings(
            TargetMetric target, long objectiveMicros, double budget, boolean modelFirst) {
        ReplicationSettings d = ReplicationSettings.DEFAULT;
        return ReplicationSettingsBuilder.builder()
                .target(target)
                .objectiveMicros(objectiveMicros)
                .limits(new FeasibilityLimits(0.5, 0.8, budget, List.of(4, 4)))
                .holdUtilisation(HOLD)
                .trials(TrialPolicy.DEFAULT)
                .loadChange(d.loadChange())
                .variabilityChange(d.variabilityChange())
                .smoothingMillis(d.smoothingMillis())
                .staleAfterMillis(d.staleAfterMillis())
                .leaseMillis(d.leaseMillis())
                .modelFirst(modelFirst)
                .build();
    }

    private static <T> T any(SplittableRandom random, List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    /** Load jumps up to 150 pages per second; neighbours arrive and leave. */
    @Property(tries = 30, seed = "4711")
    void noFactorsAreEverInfeasibleAndCopiesNeverSpendMoreThanTheirBudget(
            @ForAll @LongRange(min = 1, max = 1_000_000) long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double budget = any(random, List.of(0.02, 0.1, 0.3, 1.0));
        TwoTiers service = new TwoTiers(20, new double[] {6, 6}, seed);
        Run run = new Run(
                service,
                settings(
                        any(random, List.of(TargetMetric.values())),
                        any(random, List.of(0L, 800_000L)),
                        budget,
                        random.nextBoolean()));
        for (int i = 0; i < 150; i++) {
            if (random.nextInt(25) == 0) {
                service.pagesPerSecond = 1 + random.nextInt(150);
            }
            if (random.nextInt(40) == 0) {
                service.slowdown = new double[] {1 + random.nextInt(8), 1 + random.nextInt(8)};
            }
            ReplicationDecision decision = run.window();
            FeasibleSet truth = service.feasible(new FeasibilityLimits(0.5, HOLD, 1, List.of(4, 4)));
            assertThat(truth.contains(factors(decision))).as("%s", decision).isTrue();
            if (!factors(decision).isOnes()) {
                // Pages are whole numbers. A change that may be chance counts by its average only.
                double chance = 3 * Math.sqrt(2 / (10.0 * service.pagesPerSecond));
                assertThat(truth.extraLoad(factors(decision)))
                        .as("%s", decision)
                        .isLessThanOrEqualTo(budget * (1 + chance) + 0.005);
            }
        }
    }

    /** The decision on the first window that began during the trial reverts the trial. */
    @Property(tries = 20, seed = "4711")
    void aTrialThatViolatesTheSlaIsTakenBackWithinAPeriodOfItsFirstWindow(
            @ForAll @LongRange(min = 1, max = 1_000_000) long seed) {
        TwoTiers service = new TwoTiers(20, new double[] {6, 1}, seed);
        Run run = new Run(service, settings(TargetMetric.P95, 1_500_000, 1, true));
        for (int i = 0; i < 200 && !run.state.isMoving(); i++) {
            run.window();
        }
        assertThat(run.state.isMoving()).isTrue();
        service.slowdown = new double[] {60, 60};
        service.allSlow = true;

        ReplicationDecision decision = run.window();

        assertThat(decision.reason()).isEqualTo(ReplicationReason.ROLLED_BACK_SLA.name());
        assertThat(factors(decision)).isEqualTo(Factors.ones(2));
        assertThat(run.state.isMoving()).isFalse();
    }

    /** A window in which factors change has mixed loads, which must neither lower factors nor end the trial. */
    @Property(tries = 20, seed = "4711")
    void aSteadyLoadNeverTakesCopiesAway(@ForAll @LongRange(min = 1, max = 1_000_000) long seed) {
        TwoTiers service = new TwoTiers(40, new double[] {6, 6}, seed);
        Run run = new Run(service, settings(TargetMetric.P99, 0, 1, seed % 2 == 0));
        for (int i = 0; i < Effort.of(100, 250); i++) {
            run.window();
        }
        assertThat(run.decisions)
                .extracting(ReplicationDecision::reason)
                .doesNotContain(
                        ReplicationReason.LOWERED_INFEASIBLE.name(),
                        ReplicationReason.ROLLED_BACK_LOAD.name(),
                        ReplicationReason.RESTARTED_LOAD.name(),
                        ReplicationReason.RESTARTED_VARIABILITY.name())
                .contains(ReplicationReason.TRIAL_STARTED.name());
    }

    /** Whatever slows the first tier's servers, and for how long. */
    @Property(tries = 20, seed = "4711")
    void twoMinutesAfterATroubleFactorsAreAsBefore(@ForAll @LongRange(min = 1, max = 1_000_000) long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TwoTiers service = new TwoTiers(20, new double[] {1, 1}, seed);
        service.spread = 0;
        Run run = new Run(service, settings(TargetMetric.P99, 300_000, 0.3, true));
        for (int i = 0; i < 60 && !run.state.ended(); i++) {
            run.window();
        }
        Factors usual = run.state.inForce();
        service.slowdown = new double[] {4 + random.nextInt(20), 1};
        int trouble = 3 + random.nextInt(60);
        for (int i = 0; i < trouble; i++) {
            run.window();
        }
        service.slowdown = new double[] {1, 1};
        for (int i = 0; i < 12; i++) {
            run.window();
        }
        assertThat(run.state.search().current()).isEqualTo(usual);
    }
}
