package io.kipimo.simulator.report;

import io.kipimo.schemas.document.JsonObject;
import io.kipimo.simulator.caching.CachingResult;
import io.kipimo.simulator.caching.CachingSpec;
import io.kipimo.simulator.scenario.CachingScenario;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reports runs of cache scenarios as rows of cells, JSON or a page. */
public final class CachingReport {
    /** A scenario under the name of its run. */
    public record CachingRun(String name, CachingScenario scenario, CachingResult result) {}

    private CachingReport() {}

    /** Returns rows that tell where reads end, how long they take, and what the origin has to do; titles first. */
    public static List<List<String>> work(List<CachingRun> runs) {
        TextRows rows = new TextRows();
        for (CachingRun run : runs) {
            CachingResult r = run.result();
            rows.row()
                    .cell("run", run.name())
                    .cell("reads", r.reads())
                    .cell("client hits", percent(r.clientHitRate()))
                    .cell("of records", percent(r.clientRecordHitRate()))
                    .cell("of queries", percent(r.clientQueryHitRate()))
                    .cell("shared hits", percent((double) r.sharedHits() / r.reads()))
                    .cell("at origin", percent(1 - r.clientHitRate() - (double) r.sharedHits() / r.reads()))
                    .cell("origin reads/s", number(r.originReadsPerSecond()))
                    .cell("operations/s", number(r.operationsPerSecond()))
                    .cell("mean ms", number(r.meanLatencyMillis()))
                    .cell("p50 ms", number(r.medianLatencyMillis()))
                    .cell("p99 ms", number(r.p99LatencyMillis()));
        }
        return rows.list();
    }

    /**
     * Returns rows that tell how stale reads are, against Delta and the time of detection, and what the filter costs;
     * titles first.
     */
    public static List<List<String>> staleness(List<CachingRun> runs) {
        TextRows rows = new TextRows();
        for (CachingRun run : runs) {
            CachingResult r = run.result();
            CachingSpec spec = run.scenario().caching();
            rows.row()
                    .cell("run", run.name())
                    .cell("stale records", percent(r.staleRecordShare()))
                    .cell("stale queries", percent(r.staleQueryShare()))
                    .cell("p99 age ms", number(r.p99StaleMillis()))
                    .cell("longest ms", number(r.longestStaleMillis()))
                    .cell("allowed ms", number(spec.allowedStaleMillis()))
                    .cell("beyond", r.tooStale())
                    .cell("back in time", r.backwards() + r.ownWritesMissed())
                    .cell("fresh in filter", percent((double) r.falselyStale() / r.reads()))
                    .cell("filter kB/s a client", number(r.filterBytes() / r.lengthMillis() / spec.clients()));
        }
        return rows.list();
    }

    /** Results by name of the run; the same results give the same bytes. */
    public static Map<String, Object> tree(List<CachingRun> runs) {
        Map<String, Object> tree = new LinkedHashMap<>();
        for (CachingRun run : runs) {
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

    /** Returns the HTML page of the runs. */
    public static String page(List<CachingRun> runs) {
        CachingScenario first = runs.get(0).scenario();
        return new Html("Simulation: " + first.name())
                .paragraph(first.description())
                .table(work(runs))
                .table(staleness(runs))
                .page();
    }

    private static String percent(double share) {
        return Phrase.of("%.2f %%", 100 * share);
    }

    private static String number(double value) {
        return Phrase.of("%.1f", value);
    }
}
