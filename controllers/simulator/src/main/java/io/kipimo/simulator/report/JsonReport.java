package io.kipimo.simulator.report;

import io.kipimo.simulator.control.ReplicationPlane;
import io.kipimo.simulator.scenario.Latencies;
import io.kipimo.simulator.scenario.SimulationResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Results as JSON; the same result gives the same bytes. */
public final class JsonReport {
    private JsonReport() {}

    /** Results by name of the run. */
    public static Map<String, Object> tree(List<NamedRun> runs) {
        Map<String, Object> tree = new LinkedHashMap<>();
        runs.forEach(run -> tree.put(run.name(), tree(run.result())));
        return tree;
    }

    private static Map<String, Object> tree(SimulationResult result) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("scenario", result.scenario());
        tree.put("seed", result.seed());
        tree.put("seconds", result.seconds());
        tree.put("warm_up_seconds", result.warmUpSeconds());
        tree.put("threshold", result.threshold());
        tree.put("executions", result.executions());
        tree.put("events", result.events());
        List<Object> classes = new ArrayList<>();
        result.classes().forEach(c -> classes.add(tree(c)));
        tree.put("classes", classes);
        List<Object> tiers = new ArrayList<>();
        result.tiers().forEach(t -> tiers.add(tree(t)));
        tree.put("tiers", tiers);
        result.control().ifPresent(c -> tree.put("control", tree(c)));
        result.replication().ifPresent(r -> tree.put("replication", tree(r)));
        List<Object> slots = new ArrayList<>();
        result.slots().forEach(s -> slots.add(tree(s, result)));
        tree.put("slots", slots);
        return tree;
    }

    private static Map<String, Object> tree(SimulationResult.ClassTotal c) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("name", c.name());
        tree.put("offered", c.offered());
        tree.put("admitted", c.admitted());
        tree.put("answered", c.answered());
        tree.put("time_out_share", c.timeOutShare());
        tree.put("quality", c.quality());
        tree.put("good", c.good());
        tree.put("asked_share", c.askedShare());
        tree.put("latency_seconds", tree(c.latencies()));
        return tree;
    }

    private static Map<String, Object> tree(SimulationResult.TierTotal t) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("name", t.name());
        tree.put("calls", t.calls());
        tree.put("timed_out_calls", t.timedOutCalls());
        tree.put("executions", t.executions());
        tree.put("refused", t.refused());
        if (t.lookups() > 0) {
            tree.put("cache_lookups", t.lookups());
            tree.put("cache_hits", t.hits());
        }
        tree.put("utilisation", t.utilisation());
        tree.put("latency_seconds", tree(t.latencies()));
        return tree;
    }

    private static Map<String, Object> tree(Latencies l) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("count", l.count());
        tree.put("mean", l.mean());
        tree.put("p50", l.p50());
        tree.put("p95", l.p95());
        tree.put("p99", l.p99());
        tree.put("maximum", l.maximum());
        return tree;
    }

    private static Map<String, Object> tree(SimulationResult.ControlTotal c) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("windows", c.windows());
        tree.put("windows_at_threshold", c.windowsAtThreshold());
        tree.put("worst_window", c.worstWindow());
        tree.put("measurements", c.measurements());
        tree.put("expired", c.expired());
        tree.put("batches", c.batches());
        tree.put("batches_without_estimate", c.batchesWithout());
        tree.put("mean_error", c.meanError());
        tree.put("p95_error", c.p95Error());
        tree.put("moves", c.decisions());
        Map<String, Object> fates = new TreeMap<>();
        c.fates().forEach((fate, count) -> fates.put(fate.name(), count));
        tree.put("events", fates);
        return tree;
    }

    private static Map<String, Object> tree(SimulationResult.ReplicationTotal r) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("proven", r.proven());
        tree.put("trials", r.trials());
        if (!Double.isNaN(r.endedAtSeconds())) {
            tree.put("ended_at_seconds", r.endedAtSeconds());
        }
        tree.put("greatest_utilisation", r.greatestUtilisation());
        List<Object> changes = new ArrayList<>();
        for (ReplicationPlane.Change change : r.changes()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("seconds", change.seconds());
            one.put("factors", change.factors());
            one.put("reason", change.reason());
            changes.add(one);
        }
        tree.put("changes", changes);
        return tree;
    }

    private static Map<String, Object> tree(SimulationResult.Slot slot, SimulationResult result) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("start_seconds", slot.startSeconds());
        for (int c = 0; c < slot.classes().size(); c++) {
            SimulationResult.ClassSlot mine = slot.classes().get(c);
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("offered", mine.offered());
            one.put("admitted", mine.admitted());
            one.put("answered", mine.answered());
            one.put("time_out_share", mine.timeOutShare());
            one.put("quality", mine.quality());
            tree.put(result.classes().get(c).name(), one);
        }
        tree.put("fraction", slot.fraction());
        slot.measured().ifPresent(e -> tree.put("measured", List.of(e.low(), e.mean(), e.high())));
        tree.put("utilisation", slot.utilisation());
        return tree;
    }
}
