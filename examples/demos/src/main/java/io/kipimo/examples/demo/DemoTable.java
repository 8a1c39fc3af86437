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
        List<Figure> figures = new ArrayList<>();
        List<RunResult> runs = summary.runs();
        add(
                figures,
                runs,
                "good low answers/s",
                "answers of the low class a second whose quality is 0.9 or more",
                r -> format("%.0f", r.lowGoodPerSecond()));
        add(
                figures,
                runs,
                "high quality",
                "mean answer quality of the high class; 1: no answer lacks a result of the best",
                r -> format("%.3f", r.quality().mean()));
        add(
                figures,
                runs,
                "  95 % interval",
                "where the mean lies if the run is repeated, by the sampled answers",
                r -> format("%.3f..%.3f", r.quality().low(), r.quality().high()));
        add(
                figures,
                runs,
                "  kept objective",
                "share of the time in which its quality was at or above the objective",
                r -> percent(r.windowsAtObjective()));
        add(
                figures,
                runs,
                "high time-outs",
                "its answers that left without one of their components",
                r -> percent(r.timeOutShare()));
        add(
                figures,
                runs,
                "  loss unknown",
                "of its sampled answers that lacked something: those whose late results never came",
                r -> percent(r.expiredShare()));
        add(
                figures,
                runs,
                "low admitted",
                "queries of the low class that were not turned away",
                r -> percent(r.lowAdmittedShare()));
        add(figures, runs, "  a second", "the same, a second", r -> format("%.0f", r.lowAdmittedPerSecond()));
        add(
                figures,
                runs,
                "high p50/p99 ms",
                "time to an answer of the high class: half of them, and all but 1 %",
                r -> format("%.1f/%.1f", r.high().p50Millis(), r.high().p99Millis()));
        add(
                figures,
                runs,
                "low p50/p99 ms",
                "the same of the low class",
                r -> r.low().answered() == 0
                        ? "-"
                        : format("%.1f/%.1f", r.low().p50Millis(), r.low().p99Millis()));
        add(
                figures,
                runs,
                "complete, of 100",
                "answers of the high class, of 100, whose quality is exactly known",
                r -> format("%.1f", r.maturePer100Queries()));
        add(
                figures,
                runs,
                "cost: late results",
                "results that components finished after the answer, only to measure it",
                r -> format("%d", r.bill().lateResults()));
        add(
                figures,
                runs,
                "  their work",
                "processor time of these",
                r -> format("%.2f s", r.bill().lateWorkMicros() / 1e6));
        add(
                figures,
                runs,
                "  share of all work",
                "the same, as a share of the service's work for answers",
                r -> percent(r.billShareOfWork()));
        add(
                figures,
                runs,
                "cost: sent",
                "what the service wrote to Kafka for Kipimo",
                r -> format("%.1f MB", r.bill().emittedBytes() / 1e6));
        add(
                figures,
                runs,
                "  lost",
                "events that could not be sent",
                r -> format("%d", r.bill().droppedEvents()));
        return figures;
    }

    private static void add(
            List<Figure> figures,
            List<RunResult> runs,
            String name,
            String meaning,
            Function<RunResult, String> value) {
        figures.add(new Figure(name, meaning, runs.stream().map(value).toList()));
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
        return format("%.1f %%", 100 * fraction);
    }

    private static String format(String pattern, Object... values) {
        return Phrase.of(pattern, values);
    }
}
