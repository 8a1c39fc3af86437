package io.kipimo.simulator.scenario;

import io.kipimo.simulator.control.ControlPlane;
import io.kipimo.simulator.control.OtherAdmission;
import io.kipimo.simulator.control.ReplicationPlane;
import io.kipimo.simulator.control.ReplicationSpec;
import io.kipimo.simulator.engine.Engine;
import io.kipimo.simulator.engine.Times;
import io.kipimo.simulator.service.FrontEndModel;
import io.kipimo.simulator.service.Query;
import io.kipimo.simulator.service.ServiceSpec;
import io.kipimo.simulator.service.SimulatedService;
import io.kipimo.simulator.service.TierSpec;
import java.util.Map;
import java.util.Optional;

/** Runs a scenario: service, control plane and recorder on one engine. */
public final class Simulation {
    private Simulation() {}

    /** Runs a scenario. Equal scenarios give equal results, to the last bit. */
    public static SimulationResult run(Scenario scenario) {
        return run(scenario, Optional.empty());
    }

    /**
     * Runs a scenario, under another admission if the scenario has control.
     *
     * @param other admission in place of the product's, new for this run
     */
    public static SimulationResult run(Scenario scenario, Optional<OtherAdmission> other) {
        Engine engine = new Engine();
        SimulationRecorder recorder = new SimulationRecorder(scenario);
        Optional<ControlPlane> control = scenario.control()
                .map(c -> new ControlPlane(engine, scenario.service(), c, other, recorder, scenario.seed()));
        FrontEndModel front = control.<FrontEndModel>map(c -> c).orElseGet(() -> new AdmitAll(recorder));
        SimulatedService model = new SimulatedService(engine, scenario.service(), front, scenario.seed());
        control.ifPresent(c -> c.start(model));
        Optional<ReplicationPlane> replication = scenario.replication().map(r -> plane(engine, scenario, r));
        replication.ifPresent(r -> r.start(model));
        model.start();
        run(engine, scenario, model, recorder);
        return recorder.result(model, control.map(ControlPlane::fates).orElse(Map.of()), replication, engine.events());
    }

    private static ReplicationPlane plane(Engine engine, Scenario scenario, ReplicationSpec replication) {
        ServiceSpec service = scenario.service();
        return new ReplicationPlane(
                engine,
                replication,
                service.name(),
                service.tiers().stream().map(TierSpec::factor).toList());
    }

    private static void run(Engine engine, Scenario scenario, SimulatedService model, SimulationRecorder recorder) {
        for (int slot = 0; slot < recorder.slots(); slot++) {
            double end = Math.min(scenario.seconds(), (slot + 1) * scenario.slotSeconds());
            engine.run(Times.nanos(end));
            recorder.slotEnded(slot, model);
        }
    }

    /** Admits everything and measures nothing. */
    private record AdmitAll(SimulationRecorder recorder) implements FrontEndModel {
        @Override
        public boolean admits(Query query) {
            recorder.offered(query);
            return true;
        }

        @Override
        public boolean isSampled(Query query) {
            return false;
        }

        @Override
        public void answered(Query query) {
            boolean degraded = query.isDegraded();
            recorder.answered(query, degraded, degraded ? 0 : 1);
        }

        @Override
        public void lateResult(Query query, int partition) {
            // Nothing is sampled, so no late results are kept.
        }
    }
}
