package io.kipimo.simulator.faults.plane;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import io.kipimo.core.guard.ActuatorConfig;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.simulator.control.ControlPlane;
import io.kipimo.simulator.control.Watcher;
import io.kipimo.simulator.engine.Engine;
import io.kipimo.simulator.engine.Times;
import io.kipimo.simulator.scenario.BuiltIn;
import io.kipimo.simulator.scenario.Scenario;
import io.kipimo.simulator.service.Query;
import io.kipimo.simulator.service.SimulatedService;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A failing seed is in the message, and replays: {@code ControlPlaneFaults.run(seed, ...)}. */
class ControlPlaneFaultsTest {
    private static final int SEEDS = Integer.getInteger("kipimo.fault.seeds", Effort.of(10, 1_000));
    private static final Scenario FAULTS = BuiltIn.scenario("faults");
    private static final Policy POLICY = FAULTS.control().orElseThrow().policy();

    @Test
    void noInvalidStaleOrOlderDecisionIsEverApplied() {
        for (long seed = 0; seed < SEEDS; seed++) {
            FaultHistory history = ControlPlaneFaults.run(seed, POLICY, 1800);

            assertThat(history.violation()).isEmpty();
            assertThat(history.applied()).as("applied, seed %d", seed).isPositive();
            assertThat(history.refused()).as("refused, seed %d", seed).isPositive();
        }
    }

    @Test
    void failingSeedWouldReplay_toTheLastDecision() {
        for (long seed = 0; seed < Effort.of(1, 20); seed++) {
            assertThat(ControlPlaneFaults.run(seed, POLICY, 600))
                    .isEqualTo(ControlPlaneFaults.run(seed, POLICY, 600))
                    .isNotEqualTo(ControlPlaneFaults.run(seed + 1, POLICY, 600));
        }
    }

    @Test
    void storeThatWasRestored_holdsTheOlderDecisionAgain() {
        SimulatedStore store = new SimulatedStore();
        store.put(decision(1), 0);
        store.save();
        store.put(decision(2), 1);
        store.put(decision(1), 2);
        assertThat(store.get(3)).contains(decision(2));

        store.restore(4);

        assertThat(store.get(5)).contains(decision(1));
    }

    /** It is taken while it is new, gives way when its lease is over, and is not taken again. */
    @Test
    void decision_givesWayAfterItsLease() {
        SimulatedActuator actuator = new SimulatedActuator(ActuatorConfig.admission("search/low", 0.5));
        Decision decision = decision(1);

        assertThat(actuator.offer(decision, 1_000_000)).isEmpty();
        assertThat(actuator.check(1_000_000 + 7_200_000)).isEmpty();
        assertThat(actuator.offer(decision, 1_001_000)).isEmpty();
    }

    private static Decision decision(long sequence) {
        return DecisionBuilder.builder()
                .controller(Decision.ADMISSION)
                .scope("search/low")
                .epoch(1)
                .sequence(sequence)
                .issuedAtMillis(1_000_000)
                .asOfMillis(1_000_000)
                .validUntilMillis(1_060_000)
                .value(0.9)
                .previous(0.5)
                .mode(DecisionMode.ACTIVE)
                .reason("OPENED")
                .build();
    }

    @Test
    void everyQueryIsMeasuredAtMostOnce_underAnyFaultOfTheLog() {
        for (long seed = 0; seed < Effort.of(1, 50); seed++) {
            Engine engine = new Engine();
            OncePerQuery once = new OncePerQuery(seed);
            ControlPlane control = new ControlPlane(
                    engine, FAULTS.service(), FAULTS.control().orElseThrow(), Optional.empty(), once, seed);
            SimulatedService model = new SimulatedService(engine, FAULTS.service(), control, seed);
            control.start(model);
            model.start();
            engine.run(30 * Times.SECOND);

            assertThat(once.measured).isNotEmpty();
            assertThat(once.violation).isEmpty();
        }
    }

    private static final class OncePerQuery implements Watcher {
        final long seed;
        final Set<String> measured = new HashSet<>();
        Optional<InvariantViolation> violation = Optional.empty();

        OncePerQuery(long seed) {
            this.seed = seed;
        }

        @Override
        public void measured(Measurement measurement) {
            if (!measured.add(measurement.queryId())) {
                violation = Optional.of(new InvariantViolation(seed, 0, "measured twice: " + measurement));
            }
        }

        @Override
        public void answered(Query query, boolean degraded, double quality) {
            // Irrelevant here.
        }

        @Override
        public void counted(Observation observation) {
            // Irrelevant here.
        }

        @Override
        public void estimated(QualityWindow window) {
            // Irrelevant here.
        }

        @Override
        public void decided(Decision decision) {
            // Irrelevant here.
        }
    }
}
