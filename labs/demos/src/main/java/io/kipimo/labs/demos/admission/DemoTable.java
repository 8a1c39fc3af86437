package io.kipimo.labs.demos.admission;

import io.kipimo.simulator.report.Phrase;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The figures of a demo as a table, most important first. */
final class DemoTable {
    /**
     * One figure of every run.
     *
     * @param meaning explains the figure to readers who have not seen it before
     */
    private record DemoFigure(String name, String meaning, Function<RunResult, String> value) {
        List<String> values(DemoSummary summary) {
            return summary.runs().stream().map(value).toList();
        }
    }

    private static final List<DemoFigure> FIGURES = List.of(
            new DemoFigure(
                    "good low answers/s",
                    "answers of the low class a second whose quality is 0.9 or more",
                    r -> Phrase.of("%.0f", r.lowGoodPerSecond())),
            new DemoFigure(
                    "high quality",
                    "mean answer quality of the high class; 1: no answer lacks a result of the best",
                    r -> Phrase.of("%.3f", r.quality().mean())),
            new DemoFigure(
                    "  95 % interval",
                    "where the mean lies if the run is repeated, by the sampled answers",
                    r -> Phrase.of("%.3f..%.3f", r.quality().low(), r.quality().high())),
            new DemoFigure(
                    "  kept objective",
                    "share of the time in which its quality was at or above the objective",
                    r -> percent(r.windowsAtObjective())),
            new DemoFigure(
                    "high time-outs",
                    "its answers that left without one of their components",
                    r -> percent(r.timeOutShare())),
            new DemoFigure(
                    "  loss unknown",
                    "of its sampled answers that lacked something: those whose late results never came",
                    r -> percent(r.expiredShare())),
            new DemoFigure(
                    "low admitted",
                    "queries of the low class that were not turned away",
                    r -> percent(r.lowAdmittedShare())),
            new DemoFigure("  a second", "the same, a second", r -> Phrase.of("%.0f", r.lowAdmittedPerSecond())),
            new DemoFigure(
                    "high p50/p99 ms",
                    "time to an answer of the high class: half of them, and all but 1 %",
                    r -> Phrase.of("%.1f/%.1f", r.high().p50Millis(), r.high().p99Millis())),
            new DemoFigure(
                    "low p50/p99 ms",
                    "the same of the low class",
                    r -> r.low().answered() == 0
                            ? "-"
                            : Phrase.of(
                                    "%.1f/%.1f", r.low().p50Millis(), r.low().p99Millis())),
            new DemoFigure(
                    "complete, of 100",
                    "answers of the high class, of 100, whose quality is exactly known",
                    r -> Phrase.of("%.1f", r.maturePer100Queries())),
            new DemoFigure(
                    "cost: late results",
                    "results that components finished after the answer, only to measure it",
                    r -> Phrase.of("%d", r.bill().lateResults())),
            new DemoFigure(
                    "  their work",
                    "processor time of these",
                    r -> Phrase.of("%.2f s", r.bill().lateWorkMicros() / 1e6)),
            new DemoFigure(
                    "  share of all work",
                    "the same, as a share of the service's work for answers",
                    r -> percent(r.billShareOfWork())),
            new DemoFigure(
                    "cost: sent",
                    "what the service wrote to Kafka for Kipimo",
                    r -> Phrase.of("%.1f MB", r.bill().emittedBytes() / 1e6)),
            new DemoFigure(
                    "  lost",
                    "events that could not be sent",
                    r -> Phrase.of("%d", r.bill().droppedEvents())));

    private DemoTable() {}

    /** Rows of cells, titles first. There is a column for each run, and one with the meaning of each figure. */
    static List<List<String>> rows(DemoSummary summary) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(row("", summary.runs().stream().map(r -> r.way().title()).toList(), "what it says"));
        FIGURES.forEach(f -> rows.add(row(f.name().strip(), f.values(summary), f.meaning())));
        return rows;
    }

    private static List<String> row(String name, List<String> values, String meaning) {
        List<String> row = new ArrayList<>(List.of(name));
        row.addAll(values);
        row.add(meaning);
        return row;
    }

    /** The table for a terminal: one line per figure, one column per run, and the figure's meaning at the end. */
    static String text(DemoSummary summary) {
        StringBuilder out = new StringBuilder(" ".repeat(22));
        summary.runs().forEach(r -> out.append(Phrase.of("  %23s", r.way().title())));
        for (DemoFigure figure : FIGURES) {
            out.append(Phrase.of("%n  %-20s", figure.name()));
            figure.values(summary).forEach(value -> out.append(Phrase.of("  %23s", value)));
            out.append("  ").append(figure.meaning());
        }
        return out.append(System.lineSeparator()).toString();
    }

    private static String percent(double fraction) {
        return Phrase.of("%.1f %%", 100 * fraction);
    }
}
