package io.kipimo.labs.demos.admission;

import io.kipimo.simulator.report.BarPlot;
import io.kipimo.simulator.report.Html;
import io.kipimo.simulator.report.LinePlot;
import io.kipimo.simulator.report.Phrase;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The report of a demo: a self-contained HTML page with a plot like Ubora's figure 11, and the plot alone. */
record DemoReport(DemoSummary summary) {
    String html() {
        Html page = new Html("Kipimo demo")
                .paragraph(summary.service()
                        + " The high class needs good answers, the low class gets the rest of the capacity. In the"
                        + " middle of a run both ask for more than the service can answer, so some of the low class"
                        + " must be turned away.")
                .list(summary.verdict())
                .plot(bars("good answers a second of the low class", 0, RunResult::lowGoodPerSecond, "%.0f"))
                .plot(bars(
                        Phrase.of("answer quality of the high class (objective %.2f)", summary.objective()),
                        1,
                        r -> r.quality().mean(),
                        "%.3f"))
                .paragraph(summary.machine());
        panels().forEach(page::plot);
        return page.heading("Figures")
                .table(DemoTable.rows(summary))
                .heading("What was run")
                .list(summary.notes())
                .page();
    }

    /** The plot alone: quality, admitted low-class queries and admitted fraction over the time of a run. */
    String svg() {
        return Html.drawing(panels());
    }

    private BarPlot bars(String title, double most, ToDoubleFunction<RunResult> value, String format) {
        BarPlot bars = new BarPlot(title, most);
        summary.runs()
                .forEach(r ->
                        bars.bar(r.way().title(), Phrase.of(format, value.applyAsDouble(r)), value.applyAsDouble(r)));
        return bars;
    }

    private List<LinePlot> panels() {
        LinePlot admitted = panel("low-class queries admitted a second", RunResult.RunSecond::lowAdmitted);
        if (!summary.runs().isEmpty()) {
            RunResult last = summary.runs().get(summary.runs().size() - 1);
            line(admitted, "offered", last, RunResult.RunSecond::lowOffered);
        }
        return List.of(
                panel("answer quality of the high class", RunResult.RunSecond::quality)
                        .threshold(summary.objective()),
                admitted,
                panel("admitted share of the low class's work", RunResult.RunSecond::fraction));
    }

    private LinePlot panel(String title, ToDoubleFunction<RunResult.RunSecond> value) {
        LinePlot plot = new LinePlot(title, "seconds");
        summary.runs().forEach(run -> line(plot, run.way().title(), run, value));
        int seconds =
                summary.runs().stream().mapToInt(r -> r.seconds().size()).max().orElse(1);
        return plot.mark(seconds / 3.0, "the mix changes").mark(2 * seconds / 3.0, "");
    }

    private static void line(LinePlot plot, String name, RunResult run, ToDoubleFunction<RunResult.RunSecond> value) {
        plot.line(
                name,
                run.seconds().stream().mapToDouble(RunResult.RunSecond::second).toArray(),
                run.seconds().stream().mapToDouble(value).toArray());
    }
}
