package io.kipimo.examples.caching;

import io.kipimo.simulator.report.Phrase;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The report of a caching demo: a self-contained HTML page with a plot, and the plot alone. */
final class CachingReport {
    private static final int WIDTH = 960;
    private static final int LEFT = 130;
    private static final int BAR = 18;
    private static final int PITCH = 30;
    private static final int HEAD = 40;
    private static final int VALUE = 150;

    private final CachingSummary summary;

    CachingReport(CachingSummary summary) {
        this.summary = summary;
    }

    String html() {
        return """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
        <title>Kipimo demo: cached answers</title>
        <style>
        :root { color-scheme: light dark; --bg:#fff; --fg:#1b1f24; --soft:#5b6570; --line:#d5dae0; }
        @media (prefers-color-scheme: dark) { :root { --bg:#14171a; --fg:#e6e9ec; --soft:#9aa4ae; --line:#333a41; } }
        body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem;
               background: var(--bg); color: var(--fg); }
        h1 { font-size: 1.5rem; margin: 0 0 .2rem; } p, li { color: var(--soft); }
        .scroll { overflow-x: auto; }
        table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
        th, td { text-align: right; padding: .35rem .5rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
        th:first-child, td:first-child { text-align: left; } thead th { color: var(--soft); font-weight: 600; }
        svg { width: 100%; height: auto; }
        </style></head><body>
        <h1>Cached answers: how fast, how stale</h1>
        """
                + "<p>Shared cache: "
                + escape(summary.cache())
                + ". Each way ran the same operations.</p><div class=\"scroll\">"
                + svg()
                + "</div><h2>Figures</h2><div class=\"scroll\">"
                + table()
                + "</div><h2>What was run</h2><ul>"
                + items(summary.runs().stream()
                        .map(r -> r.way().title() + ": " + r.way().meaning())
                        .toList())
                + items(summary.notes())
                + "</ul></body></html>\n";
    }

    /** Bars by way: hits, latencies, stale reads, longest staleness. */
    String svg() {
        int panel = HEAD + PITCH * summary.runs().size();
        StringBuilder out = new StringBuilder();
        out.append(Phrase.of(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" "
                        + "aria-label=\"Hit rates, latency and staleness of four ways of caching\" "
                        + "font-family=\"system-ui, sans-serif\" font-size=\"13\">%n",
                WIDTH, 5 * panel));
        out.append("""
                <style>
                .ink { fill: #1b1f24 } .soft { fill: #5b6570 } .paper { fill: #ffffff } .bed { fill: #eef1f4 }
                .a { fill: #0a7d55 } .b { fill: #7cc4a4 } .c { fill: #3b6fb6 } .d { fill: #c2410c }
                @media (prefers-color-scheme: dark) {
                  .ink { fill: #e6e9ec } .soft { fill: #9aa4ae } .paper { fill: #14171a } .bed { fill: #22272c }
                  .a { fill: #34c08b } .b { fill: #1f6e51 } .c { fill: #6fa3e8 } .d { fill: #f0803c }
                }
                </style>
                """);
        out.append(Phrase.of("<rect class=\"paper\" width=\"%d\" height=\"%d\"/>%n", WIDTH, 5 * panel));
        hits(out, panel);
        panel(out, panel, "mean latency of a read, ms", "c", "%.1f ms", CachingRunResult::meanMillis);
        panel(out, 2 * panel, "99th percentile, ms", "c", "%.1f ms", CachingRunResult::p99Millis);
        panel(out, 3 * panel, "reads that were stale", "d", "%.2f %%", r -> 100 * r.staleShare());
        panel(out, 4 * panel, "stalest read, ms", "d", "%.0f ms", CachingRunResult::longestStaleMillis);
        return out.append("</svg>\n").toString();
    }

    private void hits(StringBuilder out, int panel) {
        title(out, 0, "reads answered by the client's cache (dark) and the shared cache (light)");
        for (int i = 0; i < summary.runs().size(); i++) {
            CachingRunResult run = summary.runs().get(i);
            double client = run.clientHitRate();
            bar(out, 0, i, "bed", 0, 1);
            bar(out, 0, i, "a", 0, client);
            bar(out, 0, i, "b", client, client + run.sharedHitRate());
            label(out, 0, i, run, Phrase.of("%.0f %%", 100 * (client + run.sharedHitRate())));
        }
    }

    private void panel(
            StringBuilder out,
            int top,
            String title,
            String style,
            String format,
            ToDoubleFunction<CachingRunResult> figure) {
        title(out, top, title);
        double most =
                Math.max(1e-9, summary.runs().stream().mapToDouble(figure).max().orElse(1));
        for (int i = 0; i < summary.runs().size(); i++) {
            CachingRunResult run = summary.runs().get(i);
            double value = figure.applyAsDouble(run);
            bar(out, top, i, style, 0, value / most);
            label(out, top, i, run, Phrase.of(format, value));
        }
    }

    private static void title(StringBuilder out, int top, String text) {
        out.append(Phrase.of(
                "<text class=\"ink\" x=\"8\" y=\"%d\" font-weight=\"600\">%s</text>%n", top + 24, escape(text)));
    }

    private static void bar(StringBuilder out, int top, int row, String style, double from, double to) {
        double width = WIDTH - LEFT - VALUE;
        out.append(Phrase.of(
                "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>%n",
                style, LEFT + from * width, top + HEAD + row * PITCH, (to - from) * width, BAR));
    }

    private static void label(StringBuilder out, int top, int row, CachingRunResult run, String value) {
        int y = top + HEAD + row * PITCH + 14;
        out.append(Phrase.of(
                "<text class=\"soft\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>"
                        + "<text class=\"ink\" x=\"%d\" y=\"%d\">%s</text>%n",
                LEFT - 10, y, escape(run.way().title()), WIDTH - VALUE + 10, y, escape(value)));
    }

    private String table() {
        StringBuilder out = new StringBuilder("<table>");
        List<List<String>> rows = CachingTable.rows(summary);
        for (int row = 0; row < rows.size(); row++) {
            String tag = row == 0 ? "th" : "td";
            out.append(row == 0 ? "<thead><tr>" : "<tr>");
            rows.get(row).forEach(text -> out.append('<')
                    .append(tag)
                    .append('>')
                    .append(escape(text))
                    .append("</")
                    .append(tag)
                    .append('>'));
            out.append(row == 0 ? "</tr></thead><tbody>" : "</tr>");
        }
        return out.append("</tbody></table>").toString();
    }

    private static String items(List<String> texts) {
        StringBuilder out = new StringBuilder();
        texts.forEach(text -> out.append("<li>").append(escape(text)).append("</li>"));
        return out.toString();
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
