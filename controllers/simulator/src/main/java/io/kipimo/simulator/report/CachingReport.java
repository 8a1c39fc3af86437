package io.kipimo.simulator.report;

import io.kipimo.schemas.document.JsonObject;
import io.kipimo.simulator.caching.CachingResult;
import io.kipimo.simulator.caching.CachingSpec;
import io.kipimo.simulator.scenario.CachingScenario;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Runs of scenarios of caches, as rows of cells, JSON or a page. */
public final class CachingReport {
    /** A scenario under the name of its run. */
    public record Run(String name, CachingScenario scenario, CachingResult result) {}

    private CachingReport() {}

    /** Where reads end, how long they take, and what the origin has to do; titles first. */
    public static List<List<String>> work(List<Run> runs) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "run",
                "reads",
                "client hits",
                "of records",
                "of queries",
                "shared hits",
                "at origin",
                "origin reads/s",
                "operations/s",
                "mean ms",
                "p50 ms",
                "p99 ms"));
        for (Run run : runs) {
            CachingResult r = run.result();
            rows.add(List.of(
                    run.name(),
                    Long.toString(r.reads()),
                    percent(r.clientHitRate()),
                    percent(r.clientRecordHitRate()),
                    percent(r.clientQueryHitRate()),
                    percent((double) r.sharedHits() / r.reads()),
                    percent(1 - r.clientHitRate() - (double) r.sharedHits() / r.reads()),
                    number(r.originReadsPerSecond()),
                    number(r.operationsPerSecond()),
                    number(r.meanLatencyMillis()),
                    number(r.medianLatencyMillis()),
                    number(r.p99LatencyMillis())));
        }
        return rows;
    }

    /** How stale reads are, against Delta and the time of detection, and what the filter costs; titles first. */
    public static List<List<String>> staleness(List<Run> runs) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "run",
                "stale records",
                "stale queries",
                "p99 age ms",
                "longest ms",
                "allowed ms",
                "beyond",
                "back in time",
                "fresh in filter",
                "filter kB/s a client"));
        for (Run run : runs) {
            CachingResult r = run.result();
            CachingSpec spec = run.scenario().caching();
            rows.add(List.of(
                    run.name(),
                    percent(r.staleRecordShare()),
                    percent(r.staleQueryShare()),
                    number(r.p99StaleMillis()),
                    number(r.longestStaleMillis()),
                    number(spec.allowedStaleMillis()),
                    Long.toString(r.tooStale()),
                    Long.toString(r.backwards() + r.ownWritesMissed()),
                    percent((double) r.falselyStale() / r.reads()),
                    number(r.filterBytes() / r.lengthMillis() / spec.clients())));
        }
        return rows;
    }

    /** Results by name of the run; the same results give the same bytes. */
    public static Map<String, Object> tree(List<Run> runs) {
        Map<String, Object> tree = new LinkedHashMap<>();
        for (Run run : runs) {
            CachingResult r = run.result();
            tree.put(
                    run.name(),
                    new JsonObject()
                            .with("scenario", run.scenario().name())
                            .withFields(run.scenario(), "seed")
                            .with("client_hit_share", r.clientHitRate())
                            .with("shared_hit_share", (double) r.sharedHits() / r.reads())
                            .with("origin_reads_per_second", r.originReadsPerSecond())
                            .with("operations_per_second", r.operationsPerSecond())
                            .with("stale_record_share", r.staleRecordShare())
                            .with("stale_query_share", r.staleQueryShare())
                            .with(
                                    "allowed_stale_millis",
                                    run.scenario().caching().allowedStaleMillis())
                            .withFields(r));
        }
        return tree;
    }

    /** The page. */
    public static String page(List<Run> runs) {
        CachingScenario first = runs.get(0).scenario();
        return new Html("Simulation: " + first.name())
                .paragraph(first.description())
                .table(work(runs))
                .table(staleness(runs))
                .page();
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.2f %%", 100 * share);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
