package io.kipimo.labs.reproductions;

import io.kipimo.core.rating.Comparison;
import io.kipimo.core.rating.DryRun;
import io.kipimo.core.rating.ExperimentReading;
import io.kipimo.core.rating.RatedServiceModel;
import io.kipimo.core.rating.Search;
import io.kipimo.core.rating.SearchResult;
import io.kipimo.core.rating.Verdict;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.SearchTerms;
import io.kipimo.simulator.report.LinePlot;
import io.kipimo.simulator.report.Phrase;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * Reproduces dry-run ratings of the quadratic model: experiments and error of the paper's techniques and of Kipimo's
 * (On Expedited Rating of Data Stores, sec. 2.3, figures 4 to 6 and table 3), and the effect of noise.
 */
final class RatingTable3 implements Experiment {
    private static final double NOISE = 0.05;
    private static final int NOISY_RUNS = 30;
    private static final int TECHNIQUES = Search.TECHNIQUES.size();

    /**
     * The paper's curves y = -T^2 + bT + c, for the ratings whose b and c are known. If the root of the rating is a
     * whole number, c is 0. The other constants give the figures that the paper prints.
     */
    private static final List<RatingCurve> CURVES = List.of(
            new RatingCurve(20, 0),
            new RatingCurve(40, 100),
            new RatingCurve(100, 0),
            new RatingCurve(140, 100),
            new RatingCurve(200, 0),
            new RatingCurve(600, 10_000),
            new RatingCurve(2_000, 0),
            new RatingCurve(20_000, 0));

    /**
     * The paper's table 3 as an audit read it, a row for each rating. First the percentages of golden's experiments
     * that approximate saves at r = 2, 4, 10; then the percentages by which its rating is off.
     */
    private static final double[][] TABLE_3 = {
        {11.11, 33.33, 25, 0, 0, 0},
        {16.67, 25, 25, 0, 0.8, 0.2},
        {17.65, 25, 25, 7.84, 7.84, 1},
        {17.65, 20, 27.78, 0.08, 0, 18},
        {20, 25, 23.53, 7.84, 1.44, 0},
        {18.18, 25, 23.53, 0.4, 0.02, 0.62},
        {18.52, 21.74, 21.74, 0.06, 0.06, 0},
        {17.65, 22.22, 12, 0.06, 0.06, 0}
    };

    private static final RatingCurve SMALL = CURVES.get(1);
    private static final RatingCurve LARGE = CURVES.get(CURVES.size() - 1);

    private record RatingCurve(double b, double c) implements RatedServiceModel {
        double rating() {
            return b * b / 4 + c;
        }

        @Override
        public ExperimentReading at(long load) {
            double throughput = Math.max(0, load * (b - load) + c);
            return new ExperimentReading(load, throughput, throughput > 0 ? Verdict.PASSED : Verdict.FAILED);
        }
    }

    @Override
    public Reproduction run() {
        List<Comparison> exact = Comparison.all(0, 1, 1);
        List<Comparison> noisy = Comparison.all(NOISE, NOISY_RUNS, 1);
        List<Finding> findings = new ArrayList<>(papers());
        for (int i = 0; i < TABLE_3.length; i++) {
            findings.add(tableRow(CURVES.get(i), TABLE_3[i]));
        }
        for (int i = 0; i < exact.size(); i += TECHNIQUES) {
            findings.add(row(exact.subList(i, i + TECHNIQUES), noisy.subList(i, i + TECHNIQUES)));
        }
        return new Reproduction(
                Phrase.of(
                        "The paper's cells: throughput is -T^2 + bT + c at load T; (b, c) is (20, 0),"
                                + " (40, 100), (100, 0), (140, 100), (200, 0), (600, 10000), (2000, 0),"
                                + " (20000, 0) for ratings of 100, 500, 2,500, 5,000, 10,000, 100,000, 1"
                                + " million and 100 million. Ours alone: c = 0, noise is normal,"
                                + " %.0f %% of each reading, %d runs.",
                        100 * NOISE, NOISY_RUNS),
                findings,
                plot(exact, noisy));
    }

    private static List<Finding> papers() {
        SearchResult golden = rated(RatingTechnique.GOLDEN, 2, LARGE);
        double times = (double) golden.experiments()
                / rated(RatingTechnique.GOLDEN, 2, SMALL).experiments();
        double goldenError = 0;
        double least = 1;
        double most = 0;
        for (RatingCurve curve : CURVES) {
            for (int climb : Comparison.CLIMBS) {
                goldenError = Math.max(goldenError, error(RatingTechnique.GOLDEN, climb, curve));
                double saved = saved(curve, climb);
                least = Math.min(least, saved);
                most = Math.max(most, saved);
            }
        }
        long visited = visitedByGolden();
        // Tolerances: half of the last printed digit.
        return List.of(
                cell("golden, rating 100 million, r = 2: different experiments", 34, 0, golden.experiments(), ""),
                cell(
                        "the same: visited, with the repeated ones",
                        69,
                        0,
                        (double) visited,
                        "algorithm 2 as printed visits two loads a step"),
                cell(
                        "the same: repeated",
                        35,
                        0,
                        (double) visited - golden.experiments(),
                        "algorithm 2 as printed visits two loads a step"),
                cell("times the experiments of a rating of 500", 2.8, 0.05, times, ""),
                cell("golden, all ratings and climbs: error, %", 0, 0.1, 100 * goldenError, ""),
                cell("approximate, all climbs: experiments saved, least, %", 11, 0.5, 100 * least, ""),
                cell("approximate, all climbs: experiments saved, most, %", 33, 0.5, 100 * most, ""),
                cell("approximate, r = 2: largest error, %", 8, 0.5, worstOfApproximate(2), ""),
                cell("approximate, r = 10: largest error, %", 18, 0.5, worstOfApproximate(10), ""));
    }

    /** Share of golden's experiments that approximate saves. */
    private static double saved(RatingCurve curve, int climb) {
        return 1
                - (double) rated(RatingTechnique.APPROXIMATE, climb, curve).experiments()
                        / rated(RatingTechnique.GOLDEN, climb, curve).experiments();
    }

    private static Finding tableRow(RatingCurve curve, double... paper) {
        double[] ours = DoubleStream.concat(
                        Comparison.CLIMBS.stream().mapToDouble(climb -> saved(curve, climb)),
                        Comparison.CLIMBS.stream()
                                .mapToDouble(climb -> Math.max(0, error(RatingTechnique.APPROXIMATE, climb, curve))))
                .map(share -> 100 * share)
                .toArray();
        return Finding.compared(
                Phrase.of("table 3, rating %,.0f: %% saved at r = 2, 4, 10; %% off", curve.rating()),
                cells(paper),
                cells(ours),
                cells(ours).equals(cells(paper)),
                "12.00 looks like a slip: the other cells of its column are 21 to 28");
    }

    private static String cells(double... percents) {
        return DoubleStream.of(percents)
                .mapToObj(percent -> Phrase.of("%.2f", percent))
                .collect(Collectors.joining("; "));
    }

    private static Finding cell(String what, double paper, double tolerance, double ours, String cause) {
        return Finding.compared(
                what,
                number(paper) + (tolerance == 0 ? "" : " ± " + number(tolerance)),
                number(ours),
                Math.abs(ours - paper) <= tolerance,
                cause.isEmpty() ? "the technique is not the paper's" : cause);
    }

    private static String number(double value) {
        return Phrase.of("%.4g", value).replaceFirst("(\\.\\d*?)0+$", "$1").replaceFirst("\\.$", "");
    }

    /**
     * Number of loads that algorithms 1 and 2 of the paper visit if they do not remember results: two in each step, and
     * the last one.
     */
    private static long visitedByGolden() {
        long highest = 1;
        long climbed = 1;
        while (LARGE.at(highest * 2).throughput() > LARGE.at(highest).throughput()) {
            highest *= 2;
            climbed++;
        }
        double width = 2.0 * highest - highest / 2.0;
        long steps = (long) Math.ceil(Math.log(width) / Math.log((Math.sqrt(5) + 1) / 2));
        return climbed + 1 + 2 * steps + 1;
    }

    private static double worstOfApproximate(int climb) {
        return 100
                * CURVES.stream()
                        .mapToDouble(curve -> error(RatingTechnique.APPROXIMATE, climb, curve))
                        .max()
                        .orElseThrow();
    }

    private static double error(RatingTechnique technique, int climb, RatingCurve curve) {
        return 1 - rated(technique, climb, curve).throughput() / curve.rating();
    }

    private static SearchResult rated(RatingTechnique technique, int climb, RatingCurve curve) {
        return DryRun.of(SearchTerms.of(technique, climb), curve).rating();
    }

    private static Finding row(List<Comparison> exact, List<Comparison> noisy) {
        StringBuilder experiments = new StringBuilder();
        StringBuilder errors = new StringBuilder();
        for (Comparison c : exact) {
            String separator = experiments.isEmpty() ? "" : "; ";
            experiments.append(separator).append(Math.round(c.experiments()));
            errors.append(separator).append(percent(c.worstError()));
        }
        Comparison ours = noisy.get(RatingTechnique.ADAPTIVE.ordinal());
        return Finding.alone(
                Phrase.of(
                        "rating %,.0f, r = %d: golden; approximate; adaptive",
                        exact.get(0).rating(), exact.get(0).climb()),
                experiments + " experiments, off by " + errors,
                Phrase.of(
                        "noisy: adaptive takes %.1f, off by at most %s; golden and approximate by %s and %s",
                        ours.experiments(),
                        percent(ours.worstError()),
                        percent(noisy.get(RatingTechnique.GOLDEN.ordinal()).worstError()),
                        percent(noisy.get(RatingTechnique.APPROXIMATE.ordinal()).worstError())));
    }

    private static LinePlot plot(List<Comparison> exact, List<Comparison> noisy) {
        LinePlot plot = new LinePlot("Experiments, r = 2", "rating, power of ten");
        for (RatingTechnique technique : Search.TECHNIQUES) {
            line(plot, technique.name().toLowerCase(Locale.ROOT), of(exact, technique));
        }
        line(plot, "adaptive, with noise", of(noisy, RatingTechnique.ADAPTIVE));
        return plot;
    }

    private static List<Comparison> of(List<Comparison> all, RatingTechnique technique) {
        return all.stream()
                .filter(c -> c.technique() == technique && c.climb() == 2)
                .toList();
    }

    private static void line(LinePlot plot, String name, List<Comparison> of) {
        plot.line(
                name,
                of.stream().mapToDouble(c -> Math.log10(c.rating())).toArray(),
                of.stream().mapToDouble(Comparison::experiments).toArray());
    }

    private static String percent(double share) {
        return Phrase.of("%.2f %%", 100 * Math.max(0, share));
    }
}
