package io.kipimo.labs.demos.caching;

import io.kipimo.simulator.report.Phrase;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The figures as a table of texts: one row per figure, one column per run, header row first. */
final class CachingTable {
    private static final int TERMINAL_COLUMNS = 100;

    private CachingTable() {}

    static List<List<String>> rows(CachingSummary summary) {
        List<List<String>> rows = new ArrayList<>();
        row(rows, summary, "", r -> r.way().title());
        row(rows, summary, "reads", r -> Phrase.of("%,d", r.reads()));
        row(rows, summary, "hits in the client", r -> percent(r.clientHitRate()));
        row(rows, summary, "hits in the shared cache", r -> percent(r.sharedHitRate()));
        row(rows, summary, "answered by the origin", r -> percent(r.originShare()));
        row(rows, summary, "latency mean", r -> Phrase.of("%.1f ms", r.meanMillis()));
        row(rows, summary, "latency p50", r -> Phrase.of("%.1f ms", r.p50Millis()));
        row(rows, summary, "latency p99", r -> Phrase.of("%.1f ms", r.p99Millis()));
        row(rows, summary, "stale reads", r -> percent(r.staleShare()));
        row(rows, summary, "stale, p99 of them", r -> Phrase.of("%.0f ms", r.staleP99Millis()));
        row(rows, summary, "stale at most", r -> Phrase.of("%.0f ms", r.longestStaleMillis()));
        row(rows, summary, "staler than Delta", r -> Phrase.of("%,d", r.tooStaleReads()));
        row(rows, summary, "staler than Delta + lag", r -> Phrase.of("%,d", r.beyondBoundReads()));
        row(
                rows,
                summary,
                "lag of the job, p50",
                r -> Phrase.of("%.0f ms", r.lag().p50Millis()));
        row(
                rows,
                summary,
                "lag of the job, p99",
                r -> Phrase.of("%.0f ms", r.lag().p99Millis()));
        row(rows, summary, "lag at most", r -> Phrase.of("%.0f ms", r.lag().longestMillis()));
        row(rows, summary, "revalidations", r -> Phrase.of("%,d", r.revalidations()));
        row(rows, summary, "found unchanged", r -> Phrase.of("%,d", r.needlessRevalidations()));
        row(rows, summary, "invalidations", r -> Phrase.of("%,d", r.lag().notifications()));
        row(rows, summary, "purges", r -> Phrase.of("%,d", r.purges()));
        row(rows, summary, "filters sent", r -> Phrase.of("%,d", r.filterRequests()));
        row(rows, summary, "bytes of filters", r -> Phrase.of("%,d", r.filterBytes()));
        return rows;
    }

    static String text(CachingSummary summary) {
        List<List<String>> rows = rows(summary);
        int label = rows.stream().mapToInt(r -> r.get(0).length()).max().orElse(0);
        StringBuilder out = new StringBuilder();
        out.append("  The shared cache is ").append(summary.cache()).append(".\n\n");
        for (List<String> row : rows) {
            out.append(Phrase.of("  %-" + label + "s", row.get(0)));
            for (String figure : row.subList(1, row.size())) {
                out.append(Phrase.of("  %14s", figure));
            }
            out.append('\n');
        }
        return out.toString();
    }

    /** The notes, each as a paragraph wrapped for a terminal. */
    static String notes(CachingSummary summary) {
        StringBuilder out = new StringBuilder();
        for (String note : summary.notes()) {
            String begin = "  - ";
            int column = 0;
            for (String word : note.split(" ")) {
                if (column > 0 && column + 1 + word.length() > TERMINAL_COLUMNS) {
                    out.append('\n');
                    begin = "    ";
                    column = 0;
                }
                String gap = column == 0 ? begin : " ";
                out.append(gap).append(word);
                column += gap.length() + word.length();
            }
            out.append('\n');
        }
        return out.toString();
    }

    static String sentence(CachingRunResult run) {
        return Phrase.of(
                "%.0f %% of the reads from caches, mean %.1f ms, %.2f %% stale, by %.0f ms at most",
                100 * (run.clientHitRate() + run.sharedHitRate()),
                run.meanMillis(),
                100 * run.staleShare(),
                run.longestStaleMillis());
    }

    private static void row(
            List<List<String>> rows, CachingSummary summary, String label, Function<CachingRunResult, String> figure) {
        List<String> row = new ArrayList<>(List.of(label));
        summary.runs().forEach(run -> row.add(figure.apply(run)));
        rows.add(row);
    }

    private static String percent(double share) {
        return Phrase.of("%.1f %%", 100 * share);
    }
}
