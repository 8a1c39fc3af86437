package io.kipimo.simulator.suite;

import io.kipimo.schemas.document.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** The figures of a suite as rows of a table, titles first, or as JSON. */
public final class SuiteReport {
    private SuiteReport() {}

    /** A case and its runs, by seed from 1 on. */
    public record Judged(SuiteCase suiteCase, List<SuiteFigures> runs) {}

    /** Runs cases with seeds 1 to {@code seeds}. */
    public static List<Judged> run(List<SuiteCase> cases, int seeds) {
        return cases.stream()
                .map(c -> new Judged(
                        c,
                        LongStream.rangeClosed(1, seeds)
                                .parallel()
                                .mapToObj(seed -> ControlSuite.run(c, seed))
                                .toList()))
                .toList();
    }

    /** Returns one row for each case, with the seconds of each seed and with means; titles first. */
    public static List<List<String>> rows(List<Judged> all) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "case",
                "s to return",
                "s to let go",
                "needless",
                "high q",
                "worst minute",
                "apart",
                "found vain",
                "turns/10 min"));
        for (Judged judged : all) {
            rows.add(List.of(
                    judged.suiteCase().name(),
                    seconds(judged, SuiteFigures::returnSeconds),
                    seconds(judged, SuiteFigures::openSeconds),
                    mean(judged, SuiteFigures::needless),
                    mean(judged, SuiteFigures::quality),
                    mean(judged, SuiteFigures::worst),
                    mean(judged, SuiteFigures::apart),
                    mean(judged, run -> run.vain() > 0 ? 1 : 0),
                    mean(judged, SuiteFigures::turns)));
        }
        return rows;
    }

    /** Returns the figures by name of the case. Seconds that are not finite are left out. */
    public static Map<String, Object> tree(List<Judged> all) {
        JsonObject tree = new JsonObject();
        all.forEach(judged -> tree.with(
                judged.suiteCase().name(),
                judged.runs().stream().map(SuiteReport::tree).toList()));
        return tree;
    }

    private static JsonObject tree(SuiteFigures run) {
        JsonObject tree = new JsonObject();
        if (Double.isFinite(run.returnSeconds())) {
            tree.withFields(run, "return_seconds");
        }
        if (Double.isFinite(run.openSeconds())) {
            tree.withFields(run, "open_seconds");
        }
        return tree.withFields(run, "needless", "quality", "worst", "apart", "vain", "turns");
    }

    private static String seconds(Judged judged, ToDoubleFunction<SuiteFigures> figure) {
        return judged.runs().stream()
                .mapToDouble(figure)
                .mapToObj(s -> Double.isNaN(s) ? "" : Double.isInfinite(s) ? "never" : Math.round(s) + "")
                .distinct()
                .collect(Collectors.joining(" "));
    }

    private static String mean(Judged judged, ToDoubleFunction<SuiteFigures> figure) {
        return String.format(
                Locale.ROOT,
                "%.3f",
                judged.runs().stream().mapToDouble(figure).average().orElse(Double.NaN));
    }
}
