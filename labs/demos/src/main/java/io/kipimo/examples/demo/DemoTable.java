package io.kipimo.examples.demo;

import io.kipimo.simulator.report.Phrase;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The figures of a demo, most important first. */
final class DemoTable {
    private DemoTable() {}

    /**
     * One figure of every run.
     *
     * @param meaning what it says, for readers who have not seen it before
     */
    record Figure(String name, String meaning, List<String> values) {}

    static List<Figure> figures(DemoSummary summary) {
        List<RunResult> runs = summary.runs();
        return List.of(
                figure(
                        runs,
                        "good low answers/s",
                        "answers of the low class a second whose quality is 0.9 or more",
                        r -> Phrase.of("%.0f", r.lowGoodPerSecond())),
                figure(
                        runs,
                        "high quality",
                        "mean answer quality of the high class; 1: no answer lacks a result of the best",
                        r -> Phrase.of("%.3f", r.quality().mean())),
                figure(
                        runs,
                        "  95 % interval",
                        "where the mean lies if the run is repeated, by the sampled answers",
                        r -> Phrase.of(
                                "%.3f..%.3f", r.quality().low(), r.quality().high())),
                figure(
                        runs,
                        "  kept objective",
                        "share of the time in which its quality was at or above the objective",
                        r -> percent(r.windowsAtObjective())),
                figure(
                        runs,
                        "high time-outs",
                        "its answers that left without one of their components",
                        r -> percent(r.timeOutShare())),
                figure(
                        runs,
                        "  loss unknown",
                        "of its sampled answers that lacked something: those whose late results never came",
                        r -> percent(r.expiredShare())),
                figure(
                        runs,
                        "low admitted",
                        "queries of the low class that were not turned away",
                        r -> percent(r.lowAdmittedShare())),
                figure(runs, "  a second", "the same, a second", r -> Phrase.of("%.0f", r.lowAdmittedPerSecond())),
                figure(
                        runs,
                        "high p50/p99 ms",
                        "time to an answer of the high class: half of them, and all but 1 %",
                        r -> Phrase.of(
                                "%.1f/%.1f", r.high().p50Millis(), r.high().p99Millis())),
                figure(
                        runs,
                        "low p50/p99 ms",
                        "the same of the low class",
                        r -> r.low().answered() == 0
                                ? "-"
                                : Phrase.of(
                                        "%.1f/%.1f",
                                        r.low().p50Millis(), r.low().p99Millis())),
                figure(
                        runs,
                        "complete, of 100",
                        "answers of the high class, of 100, whose quality is exactly known",
                        r -> Phrase.of("%.1f", r.maturePer100Queries())),
                figure(
                        runs,
                        "cost: late results",
                        "results that components finished after the answer, only to measure it",
                        r -> Phrase.of("%d", r.bill().lateResults())),
                figure(
                        runs,
                        "  their work",
                        "processor time of these",
                        r -> Phrase.of("%.2f s", r.bill().lateWorkMicros() / 1e6)),
                figure(
                        runs,
                        "  share of all work",
                        "the same, as a share of the service's work for answers",
                        r -> percent(r.billShareOfWork())),
                figure(
                        runs,
                        "cost: sent",
                        "what the service wrote to Kafka for Kipimo",
                        r -> Phrase.of("%.1f MB", r.bill().emittedBytes() / 1e6)),
                figure(
                        runs,
                        "  lost",
                        "events that could not be sent",
                        r -> Phrase.of("%d", r.bill().droppedEvents())));
    }

    private static Figure figure(List<RunResult> runs, String name, String meaning, Function<RunResult, String> value) {
        return new Figure(name, meaning, runs.stream().map(value).toList());
    }

    /** Rows of cells, titles first: a column for each run, and what each figure means. */
    static List<List<String>> rows(DemoSummary summary) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(row("", summary.runs().stream().map(r -> r.way().title()).toList(), "what it says"));
        figures(summary).forEach(f -> rows.add(row(f.name().strip(), f.values(), f.meaning())));
        return rows;
    }

    private static List<String> row(String name, List<String> values, String meaning) {
        List<String> row = new ArrayList<>(List.of(name));
        row.addAll(values);
        row.add(meaning);
        return row;
    }

    /** For a terminal: one line per figure, one column per run, and what each means. */
    static String text(DemoSummary summary) {
        StringBuilder out = new StringBuilder(" ".repeat(22));
        summary.runs().forEach(r -> out.append(Phrase.of("  %23s", r.way().title())));
        for (Figure figure : figures(summary)) {
            out.append(Phrase.of("%n  %-20s", figure.name()));
            figure.values().forEach(value -> out.append(Phrase.of("  %23s", value)));
            out.append("  ").append(figure.meaning());
        }
        return out.append(System.lineSeparator()).toString();
    }

    private static String percent(double fraction) {
        return Phrase.of("%.1f %%", 100 * fraction);
    }
}
