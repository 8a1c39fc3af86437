package io.kipimo.simulator.report;

import io.kipimo.schemas.document.JsonObject;
import io.kipimo.simulator.control.ReplicationPlane;
import io.kipimo.simulator.scenario.SimulationResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Results as JSON; the same result gives the same bytes. */
public final class JsonReport {
    private JsonReport() {}

    /** Results by name of the run. */
    public static Map<String, Object> tree(List<NamedRun> runs) {
        JsonObject tree = new JsonObject();
        runs.forEach(run -> tree.with(run.name(), tree(run.result())));
        return tree;
    }

    private static JsonObject tree(SimulationResult result) {
        return new JsonObject()
                .withFields(result, "scenario", "seed", "seconds", "warm_up_seconds", "threshold")
                .withFields(result, "executions", "events")
                .with("classes", result.classes().stream().map(JsonReport::tree).toList())
                .with("tiers", result.tiers().stream().map(JsonReport::tree).toList())
                .withPresent("control", result.control().map(JsonReport::tree))
                .withPresent("replication", result.replication().map(JsonReport::tree))
                .with("slots", result.slots().stream().map(s -> tree(s, result)).toList());
    }

    private static JsonObject tree(SimulationResult.ClassTotal c) {
        return new JsonObject()
                .withFields(c, "name", "offered", "admitted", "answered", "time_out_share")
                .withFields(c, "quality", "good", "asked_share")
                .with("latency_seconds", new JsonObject().withFields(c.latencies()));
    }

    private static JsonObject tree(SimulationResult.TierTotal t) {
        JsonObject tree = new JsonObject().withFields(t, "name", "calls", "timed_out_calls", "executions", "refused");
        if (t.lookups() > 0) {
            tree.with("cache_lookups", t.lookups()).with("cache_hits", t.hits());
        }
        return tree.withFields(t, "utilisation").with("latency_seconds", new JsonObject().withFields(t.latencies()));
    }

    private static JsonObject tree(SimulationResult.ControlTotal c) {
        Map<String, Object> fates = new TreeMap<>();
        c.fates().forEach((fate, count) -> fates.put(fate.name(), count));
        return new JsonObject()
                .withFields(c.quality())
                .withFields(c, "measurements", "expired")
                .with("batches", c.batches().judged().size())
                .with("batches_without_estimate", c.batches().without())
                .withFields(c.batches(), "mean_error", "p95_error")
                .with("moves", c.decisions())
                .with("events", fates);
    }

    private static JsonObject tree(SimulationResult.ReplicationTotal r) {
        return new JsonObject()
                .withFields(r, "proven", "trials")
                .withPresent("ended_at_seconds", Optional.of(r.endedAtSeconds()).filter(ended -> !ended.isNaN()))
                .withFields(r, "greatest_utilisation")
                .with("changes", r.changes().stream().map(JsonReport::tree).toList());
    }

    private static JsonObject tree(ReplicationPlane.FactorChange change) {
        return new JsonObject().withFields(change, "seconds", "factors", "reason");
    }

    private static JsonObject tree(SimulationResult.Slot slot, SimulationResult result) {
        JsonObject tree = new JsonObject().withFields(slot, "start_seconds");
        for (int c = 0; c < slot.classes().size(); c++) {
            tree.with(
                    result.classes().get(c).name(),
                    new JsonObject()
                            .withFields(slot.classes().get(c), "offered", "admitted", "answered")
                            .withFields(slot.classes().get(c), "time_out_share", "quality"));
        }
        return tree.withFields(slot, "fraction")
                .withPresent("measured", slot.measured().map(e -> List.of(e.low(), e.mean(), e.high())))
                .withFields(slot, "utilisation");
    }
}
