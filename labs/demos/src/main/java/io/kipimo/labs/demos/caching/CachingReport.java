package io.kipimo.labs.demos.caching;

import io.kipimo.simulator.report.BarPlot;
import io.kipimo.simulator.report.Html;
import io.kipimo.simulator.report.Phrase;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The report of a caching demo: a self-contained HTML page with a plot, and the plot alone. */
record CachingReport(CachingSummary summary) {
    String html() {
        Html page = new Html("Cached answers: how fast, how stale")
                .paragraph("Shared cache: " + summary.cache() + ". Each way ran the same operations.");
        plots().forEach(page::plot);
        return page.heading("Figures")
                .table(CachingTable.rows(summary))
                .heading("What was run")
                .list(summary.runs().stream()
                        .map(r -> r.way().title() + ": " + r.way().meaning())
                        .toList())
                .list(summary.notes())
                .page();
    }

    /** The plot alone: bars of hits, latencies, stale reads and longest staleness, by way of caching. */
    String svg() {
        return Html.drawing(plots());
    }

    private List<BarPlot> plots() {
        BarPlot hits = new BarPlot("reads answered by the client's cache (dark) and the shared cache (light)", 1);
        for (CachingRunResult run : summary.runs()) {
            double all = run.clientHitRate() + run.sharedHitRate();
            hits.bar(run.way().title(), Phrase.of("%.0f %%", 100 * all), run.clientHitRate(), run.sharedHitRate());
        }
        return List.of(
                hits,
                plot("mean latency of a read, ms", "%.1f ms", CachingRunResult::meanMillis),
                plot("99th percentile, ms", "%.1f ms", CachingRunResult::p99Millis),
                plot("reads that were stale", "%.2f %%", r -> 100 * r.staleShare()),
                plot("stalest read, ms", "%.0f ms", CachingRunResult::longestStaleMillis));
    }

    private BarPlot plot(String title, String format, ToDoubleFunction<CachingRunResult> figure) {
        BarPlot plot = new BarPlot(title, 0);
        for (CachingRunResult run : summary.runs()) {
            double value = figure.applyAsDouble(run);
            plot.bar(run.way().title(), Phrase.of(format, value), value);
        }
        return plot;
    }
}
