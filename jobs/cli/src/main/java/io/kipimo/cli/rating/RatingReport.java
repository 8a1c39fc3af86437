package io.kipimo.cli.rating;

import io.kipimo.cli.terminal.ScatterPlot;
import io.kipimo.cli.terminal.TextTable;
import io.kipimo.core.rating.Comparison;
import io.kipimo.core.rating.DryRun;
import io.kipimo.core.rating.Ending;
import io.kipimo.core.rating.ExperimentReading;
import io.kipimo.core.rating.QuadraticModel;
import io.kipimo.core.rating.Search;
import io.kipimo.core.rating.SearchResult;
import io.kipimo.core.rating.Verdict;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.SearchTerms;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints ratings of a model: the result, the curve and every experiment. */
final class RatingReport {
    private RatingReport() {}

    /**
     * Prints a search.
     *
     * @param target the model whose best throughput is known; null: the best is not known
     */
    static void print(PrintWriter out, DryRun run, QuadraticModel target, SearchTerms settings) {
        SearchResult found = run.rating();
        out.printf(
                Locale.ROOT,
                "rating %s requests/s at load %s, in %d experiments (%s, climb %d): %s%n",
                number(found.throughput()),
                number((double) found.load()),
                found.experiments(),
                name(settings.technique()),
                settings.climb(),
                found.ending().text());
        if (target != null && found.load() > 0) {
            double reached = target.at(found.load()).throughput();
            out.printf(
                    Locale.ROOT,
                    "the model serves %s there and %s at best: %s missed%n",
                    number(reached),
                    number(target.best()),
                    percent((target.best() - reached) / target.best()));
        }
        out.println();
        curve(out, run);
        out.println();
        TextTable table = new TextTable("experiment", "load", "requests/s", "verdict", "");
        for (int i = 0; i < run.log().size(); i++) {
            ExperimentReading reading = run.log().get(i);
            table.row(
                    Integer.toString(i + 1),
                    number((double) reading.load()),
                    number(reading.throughput()),
                    verdict(reading.verdict()),
                    reading.load() == found.load() ? "rated" : "");
        }
        table.print(out);
    }

    private static void curve(PrintWriter out, DryRun run) {
        ScatterPlot plot = new ScatterPlot(RatingReport::number);
        run.log().forEach(r -> plot.point((double) r.load(), r.throughput(), mark(r.verdict())));
        SearchResult found = run.rating();
        if (found.ending() != Ending.FIRST_FAILED) {
            plot.point((double) found.load(), found.throughput(), '*');
        }
        plot.print(out, "load", "requests/s   o passed   x failed   ? void   * rating");
    }

    /** Prints one row for each rating and climb, with all techniques side by side. */
    static void print(PrintWriter out, List<Comparison> comparisons, double noise, int runs) {
        List<String> titles = new ArrayList<>(List.of("rating", "climb"));
        for (RatingTechnique technique : Search.TECHNIQUES) {
            titles.add(name(technique));
            titles.add(noise > 0 ? "worst error" : "error");
            if (noise > 0) {
                titles.add("accurate");
            }
        }
        TextTable table = new TextTable(titles);
        int techniques = Search.TECHNIQUES.size();
        for (int i = 0; i < comparisons.size(); i += techniques) {
            Comparison first = comparisons.get(i);
            List<String> cells = new ArrayList<>(List.of(number(first.rating()), Integer.toString(first.climb())));
            for (Comparison comparison : comparisons.subList(i, i + techniques)) {
                cells.add(number(comparison.experiments()));
                cells.add(percent(comparison.worstError()));
                if (noise > 0) {
                    cells.add(percent(comparison.accurate()));
                }
            }
            table.row(cells);
        }
        out.println(
                noise > 0
                        ? ("experiments (mean), error of the load found and share of runs within 0.1 %%, of %s "
                                        + "runs with %s noise on every reading")
                                .formatted(runs, percent(noise))
                        : "experiments, and error of the load found");
        out.println();
        table.print(out);
    }

    static String name(RatingTechnique technique) {
        return technique.name().toLowerCase(Locale.ROOT);
    }

    private static String verdict(Verdict verdict) {
        return verdict.name().toLowerCase(Locale.ROOT);
    }

    private static char mark(Verdict verdict) {
        return switch (verdict) {
            case PASSED -> 'o';
            case FAILED -> 'x';
            case VOID -> '?';
        };
    }

    /** Formats a number with at most six decimals and never with an exponent. */
    static BigDecimal decimal(double value) {
        BigDecimal rounded =
                BigDecimal.valueOf(value).setScale(6, RoundingMode.HALF_UP).stripTrailingZeros();
        return rounded.scale() < 0 ? rounded.setScale(0) : rounded;
    }

    /** Formats a number with thousands separators, and with one decimal if it is not zero. */
    private static String number(double value) {
        BigDecimal rounded = BigDecimal.valueOf(value).setScale(1, RoundingMode.HALF_UP);
        return String.format(Locale.ROOT, rounded.stripTrailingZeros().scale() > 0 ? "%,.1f" : "%,.0f", rounded);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.2f %%", share * 100);
    }
}
