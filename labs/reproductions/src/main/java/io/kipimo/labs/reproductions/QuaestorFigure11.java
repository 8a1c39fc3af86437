package io.kipimo.labs.reproductions;

import io.kipimo.simulator.caching.CachingModel;
import io.kipimo.simulator.caching.CachingSpec;
import io.kipimo.simulator.caching.TrueTtl;
import io.kipimo.simulator.report.LinePlot;
import io.kipimo.simulator.report.Phrase;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Compares the distributions of estimated and true times to live of queries (Quaestor, sec. 6.2, fig. 11), with 1 %
 * writes over ten minutes. The true time runs from the first read of a result to its change.
 */
final class QuaestorFigure11 implements Experiment {
    private static final long READS = 2_400_000;
    private static final double[] SHARES = {0.1, 0.25, 0.5, 0.75, 0.9};
    private static final int PLOTTED = 50;

    private final long reads;

    QuaestorFigure11() {
        this(READS);
    }

    QuaestorFigure11(long reads) {
        this.reads = reads;
    }

    @Override
    public Reproduction run() {
        List<TrueTtl> ttls = ttls(CachingSpec.PAPER);
        List<TrueTtl> byDefault = ttls(QuaestorFigure9.withDefaults(CachingSpec.PAPER));
        double[] estimated = sorted(ttls, TrueTtl::estimatedMillis);
        double[] trueOnes = sorted(ttls, TrueTtl::trueMillis);
        List<Finding> findings = new ArrayList<>();
        for (double share : SHARES) {
            double e = quantile(estimated, share) / 1e3;
            double t = quantile(trueOnes, share) / 1e3;
            findings.add(Finding.compared(
                    Phrase.of("quantile %.2f: estimated; true, s", share),
                    "similar for most",
                    Phrase.of("%.1f; %.1f", e, t),
                    e < 2 * t + 1 && t < 2 * e + 1,
                    "the estimate aims at a median time, which says little about so short or so long a time"));
        }
        findings.add(Finding.alone(
                "median: estimated; true, s, with the defaults",
                Phrase.of(
                        "%.1f; %.1f",
                        quantile(sorted(byDefault, TrueTtl::estimatedMillis), 0.5) / 1e3,
                        quantile(sorted(byDefault, TrueTtl::trueMillis), 0.5) / 1e3),
                ""));
        LinePlot plot = new LinePlot("Share of times to live up to", "s");
        double[] shares = new double[PLOTTED];
        double[] x1 = new double[PLOTTED];
        double[] x2 = new double[PLOTTED];
        for (int i = 0; i < PLOTTED; i++) {
            shares[i] = (double) i / PLOTTED;
            x1[i] = quantile(estimated, shares[i]) / 1e3;
            x2[i] = quantile(trueOnes, shares[i]) / 1e3;
        }
        plot.line("estimated", x1, shares);
        plot.line("true", x2, shares);
        return new Reproduction(
                QuaestorFigure9.setting(CachingSpec.PAPER)
                        + Phrase.of(" 1 %% writes, %,d times to live of queries.", ttls.size()),
                findings,
                plot);
    }

    /** Times to live without the first fifth, whose estimates come from rates that were not known yet. */
    private List<TrueTtl> ttls(CachingSpec spec) {
        List<TrueTtl> all = CachingModel.trueTtls(spec, 1100, reads);
        return all.subList(all.size() / 5, all.size());
    }

    private static double[] sorted(List<TrueTtl> ttls, ToDoubleFunction<TrueTtl> figure) {
        return ttls.stream().mapToDouble(figure).sorted().toArray();
    }

    private static double quantile(double[] sorted, double share) {
        return sorted[(int) (share * (sorted.length - 1))];
    }
}
