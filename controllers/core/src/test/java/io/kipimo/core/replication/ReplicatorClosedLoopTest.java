package io.kipimo.core.replication;

import static io.kipimo.core.replication.TwoTiers.factors;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import io.kipimo.core.guard.MoverTurn;
import io.kipimo.core.guard.Step;
import io.kipimo.core.guard.StepContext;
import io.kipimo.core.tails.LatencySketch;
import io.kipimo.schemas.policy.TrialPolicy;
import io.kipimo.schemas.replication.BrokenConstraint;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.TierFactor;
import io.kipimo.schemas.replication.TrialEvidence;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The whole controller against {@link TwoTiers}, in virtual time. */
class ReplicatorClosedLoopTest {
    private static final FeasibilityLimits LIMITS = new FeasibilityLimits(0.5, 0.8, 1);

    private static ReplicationSettings settings(TargetMetric target, boolean modelFirst) {
        ReplicationSettings d = ReplicationSettings.DEFAULT;
        return ReplicationSettingsBuilder.builder()
                .target(target)
                .limits(LIMITS)
                .holdUtilisation(0.9)
                .trials(TrialPolicy.DEFAULT)
                .loadChange(d.loadChange())
                .variabilityChange(1)
                .smoothingMillis(d.smoothingMillis())
                .staleAfterMillis(d.staleAfterMillis())
                .leaseMillis(d.leaseMillis())
                .modelFirst(modelFirst)
                .build();
    }

    /** Feeds windows one by one, and checks the invariants after each. */
    private static final class Loop {
        final TwoTiers service;
        final ReplicationSettings settings;
        final List<ReplicationDecision> decisions = new ArrayList<>();
        ReplicatorState state = ReplicatorState.initial(2);
        long nowMillis = 1_000_000;

        Loop(TwoTiers service, ReplicationSettings settings) {
            this.service = service;
            this.settings = settings;
        }

        ReplicationDecision window() {
            Factors before = state.inForce();
            ReplicationReading reading = service.window(nowMillis, before);
            nowMillis += TwoTiers.WINDOW_MILLIS;
            Step<ReplicatorState, ReplicationDecision> step = new Replicator()
                    .step(
                            state,
                            reading,
                            new StepContext<>(
                                    new Instructions("wiki", List.of("page", "data"), settings),
                                    MoverTurn.FREE,
                                    7,
                                    nowMillis));
            ReplicationDecision decision = step.decision().orElseThrow();
            assertThat(decision.sequence()).isEqualTo(state.sequence() + 1);
            state = step.next();
            assertThat(factors(decision)).isEqualTo(state.inForce());
            assertThat(decision.tiers()).extracting(TierFactor::previous).isEqualTo(before.values());
            assertThat(reading.feasible(before, settings.holding()).contains(factors(decision)))
                    .as("no unstable tier: %s", decision)
                    .isTrue();
            if (factors(decision).copies() > before.copies()) {
                assertThat(decision.reason())
                        .as("added copies are on trial or restored after a trial: %s", decision)
                        .isIn(
                                ReplicationReason.TRIAL_STARTED.name(),
                                ReplicationReason.TRIAL_NO_BETTER.name(),
                                ReplicationReason.TRIAL_UNDECIDED.name());
            }
            decision.evidence().ifPresent(e -> assertThat(e.trialRequests()).isGreaterThanOrEqualTo(200));
            decisions.add(decision);
            return decision;
        }

        List<String> reasons() {
            return decisions.stream().map(ReplicationDecision::reason).toList();
        }

        void untilEnded() {
            for (int i = 0; i < 3_000 && !state.ended(); i++) {
                window();
            }
            assertThat(state.ended()).as("the search ends").isTrue();
        }
    }

    /** The target under fixed factors, measured over a long time. */
    private static double longRun(TwoTiers service, Factors factors, TargetMetric target) {
        LatencySketch all = new LatencySketch();
        for (int i = 0; i < 400; i++) {
            all.merge(service.window(0, factors).tiers().get(0).requestLatency());
        }
        return target.micros(all);
    }

    record Case(double pagesPerSecond, List<Double> slowdown, TargetMetric target) {
        TwoTiers service(long seed) {
            return new TwoTiers(pagesPerSecond, new double[] {slowdown.get(0), slowdown.get(1)}, seed);
        }
    }

    static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (double load : new double[] {5, 20}) {
            for (List<Double> slowdown : List.of(List.of(1.0, 6.0), List.of(6.0, 6.0), List.of(6.0, 1.0))) {
                for (TargetMetric target : TargetMetric.values()) {
                    cases.add(new Case(load, slowdown, target));
                }
            }
        }
        return cases;
    }

    /** The target under each feasible factors, by long measurements. */
    private static Map<Factors, Double> exhaustive(Case c) {
        Map<Factors, Double> all = new HashMap<>();
        FeasibleSet feasible = c.service(1).feasible(LIMITS);
        for (int r1 = 1; r1 <= TwoTiers.SERVERS[0]; r1++) {
            for (int r2 = 1; r2 <= TwoTiers.SERVERS[1]; r2++) {
                Factors factors = Factors.of(r1, r2);
                if (feasible.contains(factors)) {
                    all.put(factors, longRun(c.service(99), factors, c.target()));
                }
            }
        }
        return all;
    }

    /** Over many seeds: two loads, three patterns of interference, three targets (sPARE, fig. 6). */
    @Test
    void comesNearTheBestFactorsWithHalfTheTrialsOfAlgorithm1AndNeverAnUnstableTier() {
        List<Double> distances = new ArrayList<>();
        long trials = 0;
        long trialsWithoutModel = 0;
        List<Case> cases = cases();
        for (Case c : cases.subList(0, Effort.of(2, cases.size()))) {
            Map<Factors, Double> all = exhaustive(c);
            double best = Collections.min(all.values());
            double none = all.get(Factors.ones(2));
            for (long seed = 1; seed <= Effort.of(1, 5); seed++) {
                Loop loop = new Loop(c.service(seed), settings(c.target(), true));
                loop.untilEnded();
                Factors chosen = loop.state.search().current();
                double reached = all.get(chosen);
                assertThat(none / reached).as("%s: %s", c, chosen).isGreaterThan(1.5);
                // Above 4 % to allow for the errors of two sketch percentiles.
                assertThat(reached / best - 1).as("%s: %s", c, chosen).isLessThan(0.06);
                distances.add(reached / best - 1);
                trials += loop.state.trials();
                Loop without = new Loop(c.service(seed), settings(c.target(), false));
                without.untilEnded();
                trialsWithoutModel += without.state.trials();
            }
        }
        assertThat(distances.stream().mapToDouble(d -> d).average().orElseThrow())
                .isLessThan(0.01);
        assertThat(2 * trials).isLessThanOrEqualTo(trialsWithoutModel);
    }

    /** All copies of an expensive request are expensive; the model ignores this. */
    @Test
    void whereTheModelErrsTheMeasurementDecides() {
        for (long seed = 1; seed <= Effort.of(2, 10); seed++) {
            Loop loop = new Loop(alike(seed), settings(TargetMetric.P99, true));
            loop.untilEnded();

            assertThat(loop.decisions)
                    .filteredOn(d -> !d.evidence().isEmpty())
                    .filteredOn(d -> !d.reason().equals(ReplicationReason.TRIAL_RUNNING.name()))
                    .first()
                    .satisfies(d -> {
                        TrialEvidence measured = d.evidence().orElseThrow();
                        double predicted = measured.predictedMicros().orElseThrow();
                        assertThat(predicted < measured.lowMicros() || predicted > measured.highMicros())
                                .as("%s", measured)
                                .isTrue();
                    });
            assertThat(longRun(alike(99), loop.state.inForce(), TargetMetric.P99))
                    .isLessThan(1.04 * longRun(alike(99), Factors.ones(2), TargetMetric.P99));
        }
    }

    private static TwoTiers alike(long seed) {
        TwoTiers service = new TwoTiers(20, new double[] {1, 1}, seed);
        service.common = 1;
        return service;
    }

    /** After the neighbours leave, copies are removed on trial, one at a time. */
    @Test
    void searchesAgainWhenVariabilityDriftsAndDropsCopiesThatAreNotMissed() {
        TwoTiers service = new TwoTiers(20, new double[] {6, 6}, 5);
        Loop loop = new Loop(service, settings(TargetMetric.P99, true));
        loop.untilEnded();
        assertThat(loop.state.inForce()).isNotEqualTo(Factors.ones(2));
        for (int i = 0; i < 100; i++) {
            assertThat(factors(loop.window())).isEqualTo(loop.state.inForce());
        }
        assertThat(loop.state.ended()).as("nothing has drifted").isTrue();
        service.slowdown = new double[] {1, 1};
        service.spread = 0;

        for (int i = 0; i < 400 && !loop.state.inForce().isOnes(); i++) {
            loop.window();
        }

        assertThat(loop.reasons()).contains(ReplicationReason.RESTARTED_VARIABILITY.name());
        assertThat(loop.state.inForce()).isEqualTo(Factors.ones(2));
    }

    @Test
    void factorsComeDownInTheVeryWindowInWhichTheLoadIsTooHigh() {
        TwoTiers service = new TwoTiers(20, new double[] {6, 1}, 5);
        Loop loop = new Loop(service, settings(TargetMetric.P99, true));
        loop.untilEnded();
        assertThat(loop.state.inForce().at(0)).isGreaterThan(1);
        service.pagesPerSecond = 150;

        ReplicationDecision decision = loop.window();

        assertThat(decision.reason()).isEqualTo(ReplicationReason.LOWERED_INFEASIBLE.name());
        assertThat(factors(decision)).isEqualTo(Factors.ones(2));
        assertThat(decision.broken())
                .extracting(BrokenConstraint::constraint)
                .contains(Constraint.SERVER_CAPACITY.name());
        // They stay low as long as it lasts.
        for (int i = 0; i < 100; i++) {
            assertThat(factors(loop.window())).isEqualTo(Factors.ones(2));
        }
    }
}
