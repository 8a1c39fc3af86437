package io.kipimo.labs.reproductions;

import io.kipimo.core.rating.model.Comparison;
import io.kipimo.core.rating.model.DryRun;
import io.kipimo.core.rating.model.QuadraticModel;
import io.kipimo.core.rating.search.SearchResult;
import io.kipimo.core.rating.search.SearchSettings;
import io.kipimo.core.rating.search.Technique;
import io.kipimo.simulator.report.LinePlot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * Dry-run ratings of the quadratic model: experiments and error of the paper's techniques and of
 * Kipimo's (On Expedited Rating of Data Stores, sec. 2.3, figures 4 to 6 and table 3), and the
 * effect of noise.
 */
final class RatingTable3 implements PaperExperiment {
    private static final double NOISE = 0.05;
    private static final int NOISY_RUNS = 30;
    private static final int TECHNIQUES = Technique.values().length;

    /**
     * The smallest rating for which the paper gives figures other than those of {@link Comparison}.
     */
    private static final double SMALL = 500;

    @Override
    public String id() {
        return "rating-table-3";
    }

    @Override
    public String title() {
        return "Experiments and error of search techniques (Rating, figures 4 to 6 and table 3)";
    }

    @Override
    public Reproduction run() {
        List<Comparison> exact = Comparison.all(0, 1, 1);
        List<Comparison> noisy = Comparison.all(NOISE, NOISY_RUNS, 1);
        List<Finding> findings = new ArrayList<>(papers(exact));
        for (int i = 0; i < exact.size(); i += TECHNIQUES) {
            findings.add(row(exact.subList(i, i + TECHNIQUES), noisy.subList(i, i + TECHNIQUES)));
        }
        return new Reproduction(
                id(),
                title(),
                String.format(
                        Locale.ROOT,
                        "Throughput is -T^2 + bT at load T and peaks with the rating. Noise is normal,"
                                + " %.0f %% of each reading, %d runs.",
                        100 * NOISE,
                        NOISY_RUNS),
                findings,
                List.of(),
                List.of(plot(exact, noisy)));
    }

    private static List<Finding> papers(List<Comparison> exact) {
        SearchResult golden = rated(Technique.GOLDEN, 2, 1e8);
        double times =
                (double) golden.experiments() / rated(Technique.GOLDEN, 2, SMALL).experiments();
        double goldenError = worst(exact, Technique.GOLDEN);
        double least = 1;
        double most = 0;
        for (double rating : ratings()) {
            for (int climb : Comparison.CLIMBS) {
                double saved =
                        1
                                - (double) rated(Technique.APPROXIMATE, climb, rating).experiments()
                                        / rated(Technique.GOLDEN, climb, rating).experiments();
                least = Math.min(least, saved);
                most = Math.max(most, saved);
            }
        }
        return List.of(
                Finding.compared(
                        "golden, rating 100 million, r = 2: different experiments",
                        "34",
                        Integer.toString(golden.experiments()),
                        golden.experiments() == 34,
                        "points are rounded to loads in another way"),
                Finding.compared(
                        "times those of a rating of 500",
                        "2.8",
                        String.format(Locale.ROOT, "%.2f", times),
                        Math.abs(times - 2.8) < 0.05,
                        "points are rounded to loads in another way"),
                Finding.compared(
                        "golden, all ratings and climbs: error",
                        "0: the expected rating at all times",
                        percent(goldenError),
                        // Some ratings have their peak between two loads.
                        goldenError < 0.001,
                        "it ends beside the peak"),
                Finding.compared(
                        "approximate, all climbs: experiments saved",
                        "11 to 33 %",
                        percent(least) + " to " + percent(most),
                        Math.round(100 * least) == 11 && Math.round(100 * most) == 33,
                        "other ratings than the paper's"),
                Finding.compared(
                        "approximate, r = 2: largest error",
                        "8 %",
                        percent(worstOfApproximate(2)),
                        // Rounded down to whole percents.
                        Math.floor(100 * worstOfApproximate(2)) == 8,
                        "other ratings than the paper's"),
                Finding.compared(
                        "approximate, r = 10: largest error",
                        "18 %",
                        percent(worstOfApproximate(10)),
                        Math.floor(100 * worstOfApproximate(10)) == 18,
                        "other ratings than the paper's"));
    }

    private static double[] ratings() {
        return DoubleStream.concat(
                        DoubleStream.of(SMALL), Comparison.RATINGS.stream().mapToDouble(r -> r))
                .toArray();
    }

    private static double worstOfApproximate(int climb) {
        double worst = 0;
        for (double rating : ratings()) {
            worst =
                    Math.max(
                            worst,
                            1 - rated(Technique.APPROXIMATE, climb, rating).throughput() / rating);
        }
        return worst;
    }

    private static SearchResult rated(Technique technique, int climb, double rating) {
        return DryRun.of(SearchSettings.of(technique, climb), QuadraticModel.of(rating)).rating();
    }

    private static double worst(List<Comparison> all, Technique technique) {
        return all.stream()
                .filter(c -> c.technique() == technique)
                .mapToDouble(Comparison::worstError)
                .max()
                .orElseThrow();
    }

    private static Finding row(List<Comparison> exact, List<Comparison> noisy) {
        StringBuilder experiments = new StringBuilder();
        StringBuilder errors = new StringBuilder();
        for (Comparison c : exact) {
            String separator = experiments.isEmpty() ? "" : "; ";
            experiments.append(separator).append(Math.round(c.experiments()));
            errors.append(separator).append(percent(c.worstError()));
        }
        Comparison ours = noisy.get(Technique.ADAPTIVE.ordinal());
        return Finding.alone(
                String.format(
                        Locale.ROOT,
                        "rating %,.0f, r = %d: golden; approximate; adaptive",
                        exact.get(0).rating(),
                        exact.get(0).climb()),
                experiments + " experiments, off by " + errors,
                String.format(
                        Locale.ROOT,
                        "noisy: adaptive takes %.1f, off by at most %s; golden and approximate by %s"
                                + " and %s",
                        ours.experiments(),
                        percent(ours.worstError()),
                        percent(noisy.get(Technique.GOLDEN.ordinal()).worstError()),
                        percent(noisy.get(Technique.APPROXIMATE.ordinal()).worstError())));
    }

    private static LinePlot plot(List<Comparison> exact, List<Comparison> noisy) {
        LinePlot plot = new LinePlot("Experiments, r = 2", "rating, power of ten");
        for (Technique technique : Technique.values()) {
            line(plot, technique.name().toLowerCase(Locale.ROOT), of(exact, technique));
        }
        line(plot, "adaptive, with noise", of(noisy, Technique.ADAPTIVE));
        return plot;
    }

    private static List<Comparison> of(List<Comparison> all, Technique technique) {
        return all.stream().filter(c -> c.technique() == technique && c.climb() == 2).toList();
    }

    private static void line(LinePlot plot, String name, List<Comparison> of) {
        plot.line(
                name,
                of.stream().mapToDouble(c -> Math.log10(c.rating())).toArray(),
                of.stream().mapToDouble(Comparison::experiments).toArray());
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.2f %%", 100 * Math.max(0, share));
    }
}
