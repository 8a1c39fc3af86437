package io.kipimo.examples.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The figures of a demo as a table of texts, header row first. */
final class DemoTable {
    private DemoTable() {}

    static List<List<String>> rows(DemoSummary summary) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(
                List.of(
                        "run",
                        "high quality",
                        "95 % interval",
                        "windows ok",
                        "time-outs",
                        "expired",
                        "low admitted",
                        "low/s",
                        "low good/s",
                        "high p50/p99 ms",
                        "low p50/p99 ms",
                        "mature/100",
                        "bill: late results",
                        "late work",
                        "of work",
                        "sent",
                        "dropped"));
        for (RunResult r : summary.runs()) {
            rows.add(
                    List.of(
                            r.way().title(),
                            format("%.3f", r.quality().mean()),
                            format("%.3f..%.3f", r.quality().low(), r.quality().high()),
                            percent(r.windowsAtObjective()),
                            percent(r.timeOutShare()),
                            percent(r.expiredShare()),
                            percent(r.lowAdmittedShare()),
                            format("%.0f", r.lowAdmittedPerSecond()),
                            format("%.0f", r.lowGoodPerSecond()),
                            format("%.1f/%.1f", r.high().p50Millis(), r.high().p99Millis()),
                            r.low().answered() == 0
                                    ? "-"
                                    : format("%.1f/%.1f", r.low().p50Millis(), r.low().p99Millis()),
                            format("%.1f", r.maturePer100Queries()),
                            format("%d", r.bill().lateResults()),
                            format("%.2f s", r.bill().lateWorkMicros() / 1e6),
                            percent(r.billShareOfWork()),
                            format("%.1f MB", r.bill().emittedBytes() / 1e6),
                            format("%d", r.bill().droppedEvents())));
        }
        return rows;
    }

    static String text(DemoSummary summary) {
        List<List<String>> rows = rows(summary);
        int columns = rows.get(0).size();
        // For a terminal, which is narrower than a page: one line per figure, one column per run.
        int label = rows.get(0).stream().mapToInt(String::length).max().orElse(0);
        StringBuilder out = new StringBuilder();
        for (int c = 0; c < columns; c++) {
            out.append(
                    String.format(
                            Locale.ROOT, "  %-" + label + "s", c == 0 ? "" : rows.get(0).get(c)));
            for (List<String> row : rows.subList(1, rows.size())) {
                out.append(String.format(Locale.ROOT, "  %23s", row.get(c)));
            }
            out.append('\n');
        }
        return out.toString();
    }

    private static String percent(double fraction) {
        return format("%.1f %%", 100 * fraction);
    }

    private static String format(String pattern, Object value) {
        return String.format(Locale.ROOT, pattern, value);
    }

    private static String format(String pattern, Object a, Object b) {
        return String.format(Locale.ROOT, pattern, a, b);
    }
}
