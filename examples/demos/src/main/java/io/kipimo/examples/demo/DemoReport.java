package io.kipimo.examples.demo;

import io.kipimo.simulator.report.Phrase;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The report of a demo: a self-contained HTML page with a plot like Ubora's figure 11, and the plot alone. */
final class DemoReport {
    private static final int WIDTH = 960;
    private static final int PANEL = 190;
    private static final int LEFT = 64;
    private static final int RIGHT = 16;
    private static final int TOP = 34;
    private static final int GAP = 58;

    private final DemoSummary summary;

    DemoReport(DemoSummary summary) {
        this.summary = summary;
    }

    String html() {
        return """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
        <title>Kipimo demo</title>
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
        td.means, th.means { text-align: left; color: var(--soft); white-space: normal; min-width: 16rem; }
        .bars { margin: 1rem 0; } .bars figcaption { font-weight: 600; }
        .bars div { display: flex; align-items: center; gap: .6rem; margin: .25rem 0; }
        .bars span { flex: 0 0 11rem; color: var(--soft); } .bars i { height: 1rem; border-radius: 2px; }
        .b0 { background: #6e7781 } .b1 { background: #c2410c } .b2 { background: #b58900 }
        .b3 { background: #0a7d55 } .b4 { background: #1d4ed8 }
        </style></head><body>
        <h1>Kipimo demo</h1>
        <p>
        """
                + escape(summary.service())
                + """
         The high class needs good answers, the low class gets the rest of the capacity. In the middle of a run both
        ask for more than the service can answer, so some of the low class must be turned away.</p>
        <ul>
        """
                + list(summary.verdict())
                + "</ul>"
                + comparison()
                + "<p>"
                + escape(summary.machine())
                + "</p><div class=\"scroll\">"
                + svg()
                + "</div><h2>Figures</h2><div class=\"scroll\">"
                + table()
                + "</div><h2>What was run</h2><ul>"
                + list(summary.notes())
                + "</ul></body></html>\n";
    }

    private static String list(List<String> sentences) {
        return sentences.stream().map(s -> "<li>" + escape(s) + "</li>").collect(Collectors.joining());
    }

    /** Quality, admitted low-class queries and admitted fraction over the time of a run. */
    String svg() {
        int height = TOP + 3 * PANEL + 3 * GAP;
        StringBuilder out = new StringBuilder();
        out.append(Phrase.of(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" "
                        + "aria-label=\"Quality of the high class and admitted low class over time\" "
                        + "font-family=\"system-ui, sans-serif\" font-size=\"12\">%n",
                WIDTH, height));
        out.append("""
                <style>
                .ink { fill: #1b1f24 } .soft { fill: #5b6570 } .rule { stroke: #d5dae0 } .goal { stroke: #5b6570 }
                .paper { fill: #ffffff }
                .s0 { stroke: #6e7781 } .s1 { stroke: #c2410c } .s2 { stroke: #b58900 } .s3 { stroke: #0a7d55 }
                .s4 { stroke: #1d4ed8 } .f4 { fill: #1d4ed8 }
                .f0 { fill: #6e7781 } .f1 { fill: #c2410c } .f2 { fill: #b58900 } .f3 { fill: #0a7d55 }
                @media (prefers-color-scheme: dark) {
                  .paper { fill: #14171a } .ink { fill: #e6e9ec } .soft { fill: #9aa4ae } .rule { stroke: #333a41 }
                  .goal { stroke: #9aa4ae }
                  .s1 { stroke: #f0803c } .s2 { stroke: #e0b93b } .s3 { stroke: #34c08b } .s0 { stroke: #9aa4ae }
                  .s4 { stroke: #7aa2ff } .f4 { fill: #7aa2ff }
                  .f1 { fill: #f0803c } .f2 { fill: #e0b93b } .f3 { fill: #34c08b } .f0 { fill: #9aa4ae }
                }
                </style>
                """);
        out.append(Phrase.of("<rect class=\"paper\" width=\"%d\" height=\"%d\"/>%n", WIDTH, height));
        legend(out);
        double most = summary.runs().stream()
                .flatMap(r -> r.seconds().stream())
                .mapToDouble(RunResult.Second::lowOffered)
                .max()
                .orElse(1);
        panel(out, 0, "answer quality of the high class", 0, 1, RunResult.Second::quality, summary.objective());
        panel(
                out,
                1,
                "low-class queries admitted a second (dashed: offered)",
                0,
                Math.max(1, Math.ceil(most / 50) * 50),
                RunResult.Second::lowAdmitted,
                Double.NaN);
        panel(out, 2, "admitted share of the low class's work", 0, 1, RunResult.Second::fraction, Double.NaN);
        out.append("</svg>\n");
        return out.toString();
    }

    private void legend(StringBuilder out) {
        int x = LEFT;
        for (RunResult run : summary.runs()) {
            int i = run.way().ordinal();
            out.append(Phrase.of(
                    "<rect class=\"f%d\" x=\"%d\" y=\"8\" width=\"14\" height=\"4\"/>"
                            + "<text class=\"ink\" x=\"%d\" y=\"15\">%s</text>%n",
                    i, x, x + 20, escape(run.way().title())));
            x += 30 + 8 * run.way().title().length();
        }
    }

    private void panel(
            StringBuilder out,
            int index,
            String title,
            double least,
            double most,
            ToDoubleFunction<RunResult.Second> value,
            double goal) {
        int top = TOP + 18 + index * (PANEL + GAP);
        int seconds = Math.max(
                1,
                summary.runs().stream().mapToInt(r -> r.seconds().size()).max().orElse(1));
        out.append(Phrase.of(
                "<text class=\"ink\" x=\"%d\" y=\"%d\" font-weight=\"600\">%s</text>%n", LEFT, top - 6, escape(title)));
        for (int i = 0; i <= 4; i++) {
            double v = least + (most - least) * i / 4;
            double y = y(top, v, least, most);
            out.append(Phrase.of(
                    "<line class=\"rule\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
                            + "<text class=\"soft\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>%n",
                    LEFT,
                    WIDTH - RIGHT,
                    y,
                    y,
                    LEFT - 8,
                    y + 4,
                    most <= 1 ? Phrase.of("%.2f", v) : Phrase.of("%.0f", v)));
        }
        for (int third = 1; third < 3; third++) {
            double x = x(seconds * third / 3.0, seconds);
            out.append(Phrase.of(
                    "<line class=\"goal\" stroke-dasharray=\"2 4\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>%n",
                    x, x, top, top + PANEL));
            if (index == 0) {
                out.append(Phrase.of(
                        "<text class=\"soft\" x=\"%.1f\" y=\"%d\">the mix changes</text>%n", x + 4, top + PANEL - 6));
            }
        }
        for (int s = 0; s <= seconds; s += step(seconds)) {
            out.append(Phrase.of(
                    "<text class=\"soft\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d s</text>%n",
                    x(s, seconds), top + PANEL + 18, s));
        }
        if (!Double.isNaN(goal)) {
            double y = y(top, goal, least, most);
            out.append(Phrase.of(
                    "<line class=\"goal\" stroke-dasharray=\"6 4\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
                            + "<text class=\"soft\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">objective</text>%n",
                    LEFT, WIDTH - RIGHT, y, y, WIDTH - RIGHT, y - 4));
        }
        if (index == 1 && !summary.runs().isEmpty()) {
            line(
                    out,
                    summary.runs().get(summary.runs().size() - 1).seconds(),
                    RunResult.Second::lowOffered,
                    top,
                    seconds,
                    least,
                    most,
                    "goal\" stroke-dasharray=\"3 3");
        }
        for (RunResult run : summary.runs()) {
            line(
                    out,
                    run.seconds(),
                    value,
                    top,
                    seconds,
                    least,
                    most,
                    "s" + run.way().ordinal());
        }
    }

    private static void line(
            StringBuilder out,
            List<RunResult.Second> points,
            ToDoubleFunction<RunResult.Second> value,
            int top,
            int seconds,
            double least,
            double most,
            String style) {
        StringBuilder path = new StringBuilder();
        boolean pen = false;
        for (RunResult.Second point : points) {
            double v = value.applyAsDouble(point);
            if (Double.isNaN(v)) {
                pen = false;
                continue;
            }
            path.append(Phrase.of(
                    "%s%.1f %.1f",
                    pen ? "L" : "M",
                    x(point.second(), seconds),
                    y(top, Math.max(least, Math.min(most, v)), least, most)));
            pen = true;
        }
        out.append("<path class=\"")
                .append(style)
                .append("\" d=\"")
                .append(path)
                .append("\" fill=\"none\" stroke-width=\"1.8\" stroke-linejoin=\"round\"/>\n");
    }

    private static int step(int seconds) {
        for (int step : new int[] {5, 10, 15, 30, 60, 120, 300, 600}) {
            if (seconds / step <= 10) {
                return step;
            }
        }
        return 1800;
    }

    private static double x(double second, int seconds) {
        return LEFT + (WIDTH - LEFT - RIGHT) * second / seconds;
    }

    private static double y(int top, double value, double least, double most) {
        return top + PANEL * (1 - (value - least) / (most - least));
    }

    /** One row per figure and one column per run, to fit a narrow page. */
    private String table() {
        StringBuilder out = new StringBuilder("<table><thead><tr><th></th>");
        summary.runs()
                .forEach(r -> out.append("<th>").append(escape(r.way().title())).append("</th>"));
        out.append("<th class=\"means\">what it says</th></tr></thead><tbody>");
        for (DemoTable.Figure figure : DemoTable.figures(summary)) {
            out.append("<tr><td>").append(escape(figure.name().strip())).append("</td>");
            figure.values().forEach(v -> out.append("<td>").append(escape(v)).append("</td>"));
            out.append("<td class=\"means\">").append(escape(figure.meaning())).append("</td></tr>");
        }
        return out.append("</tbody></table>").toString();
    }

    /** The comparison that matters, as bars: what the low class got, and what the high class kept. */
    private String comparison() {
        double mostGood = summary.runs().stream()
                .mapToDouble(RunResult::lowGoodPerSecond)
                .max()
                .orElse(1);
        return bars(
                        "good answers a second of the low class",
                        RunResult::lowGoodPerSecond,
                        Math.max(1, mostGood),
                        "%.0f")
                + bars(
                        Phrase.of("answer quality of the high class (objective %.2f)", summary.objective()),
                        r -> r.quality().mean(),
                        1,
                        "%.3f");
    }

    private String bars(String title, ToDoubleFunction<RunResult> value, double most, String pattern) {
        StringBuilder out = new StringBuilder("<figure class=\"bars\"><figcaption>")
                .append(escape(title))
                .append("</figcaption>");
        for (RunResult run : summary.runs()) {
            double v = value.applyAsDouble(run);
            out.append(Phrase.of(
                    "<div><span>%s</span><i class=\"b%d\" style=\"width:%.1f%%\"></i><b>" + pattern + "</b></div>",
                    escape(run.way().title()),
                    run.way().ordinal(),
                    60 * v / most,
                    v));
        }
        return out.append("</figure>").toString();
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
