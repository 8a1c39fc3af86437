package io.kipimo.labs.reproductions;

import io.kipimo.core.ttl.TtlSettings;
import io.kipimo.simulator.caching.CachingModel;
import io.kipimo.simulator.caching.CachingResult;
import io.kipimo.simulator.caching.CachingSpec;
import io.kipimo.simulator.caching.CachingSpecBuilder;
import io.kipimo.simulator.report.LinePlot;
import io.kipimo.simulator.report.Phrase;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Client cache hit rates of queries over the update rate, for several refresh intervals of the filter (Quaestor, sec.
 * 6.2, fig. 9).
 */
final class QuaestorFigure9 implements Experiment {
    private static final double[] UPDATES = {0.01, 0.05, 0.1, 0.2};
    private static final long[] REFRESH_MILLIS = {1_000, 10_000, 100_000};
    private static final long READS = 400_000;

    private final long reads;

    QuaestorFigure9() {
        this(READS);
    }

    QuaestorFigure9(long reads) {
        this.reads = reads;
    }

    @Override
    public Reproduction run() {
        // By refresh interval, then by update rate.
        List<CachingResult> all = IntStream.range(0, REFRESH_MILLIS.length * UPDATES.length)
                .parallel()
                .mapToObj(this::result)
                .toList();
        List<Finding> findings = new ArrayList<>();
        LinePlot plot = new LinePlot("Client cache hit rate of queries", "update rate");
        for (int r = 0; r < REFRESH_MILLIS.length; r++) {
            List<CachingResult> row = all.subList(r * UPDATES.length, (r + 1) * UPDATES.length);
            double[] hits =
                    row.stream().mapToDouble(CachingResult::clientQueryHitRate).toArray();
            long seconds = REFRESH_MILLIS[r] / 1000;
            plot.line("refresh " + seconds + " s", UPDATES, hits);
            findings.add(Finding.compared(
                    "refresh " + seconds + " s: hit rate falls with the updates (1, 5, 10, 20 %)",
                    "falls",
                    text(hits),
                    isFalling(hits),
                    "times to live do not follow the writes"));
        }
        double first = all.get(0).clientQueryHitRate();
        double last = all.get(all.size() - UPDATES.length).clientQueryHitRate();
        findings.add(Finding.compared(
                "1 % updates: refresh 1 s against 100 s",
                "little impact",
                text(new double[] {first, last}),
                Math.abs(last - first) < 0.15,
                "each client revalidates a stale key once an interval; our clients read a"
                        + " key less often than the paper's, so with 1 s that is a larger"
                        + " share of the reads"));
        findings.addAll(hitRates(all.get(0)));
        CachingResult byDefault = CachingModel.run(withDefaults(CachingSpec.PAPER), 900, reads);
        findings.add(Finding.alone(
                "client cache hits of records, queries, refresh 1 s, 1 % updates, with the defaults",
                text(new double[] {byDefault.clientRecordHitRate(), byDefault.clientQueryHitRate()}), ""));
        return new Reproduction(setting(), findings, plot);
    }

    /** The product's defaults for what it lets an operator set; an origin of the SDK sends times of evaluation. */
    static CachingSpec withDefaults(CachingSpec spec) {
        return CachingSpecBuilder.builder(spec)
                .ttls(TtlSettings.DEFAULT)
                .evaluationTimes(true)
                .build();
    }

    static String difference() {
        return Defaults.difference(TtlSettings.DEFAULT, CachingSpec.PAPER.ttls());
    }

    static String setting() {
        CachingSpec spec = CachingSpec.PAPER;
        return Phrase.of(
                        "%d clients of %d connections that pause %.0f ms, one of the paper's ten tables: %,d"
                                + " records, %d queries of %d records, Zipf %.2f, 4 ms to the shared cache,"
                                + " 145 ms to the origin; the product's own filter, sessions and times to"
                                + " live. The filter is fetched as the caching client does.",
                        spec.clients(),
                        spec.connections(),
                        spec.thinkMillis(),
                        spec.records(),
                        spec.queries(),
                        spec.recordsPerQuery(),
                        spec.zipf())
                + difference()
                + " Answers do not say when they were evaluated; those of the SDK do.";
    }

    /** The paper's rates are of section 6.2, and "up to"; ours are of one setting. */
    static List<Finding> hitRates(CachingResult result) {
        return List.of(
                hitRate("records", "up to 60 %", result.clientRecordHitRate(), 0.5),
                hitRate("queries", "up to 95 %", result.clientQueryHitRate(), 0.85));
    }

    private static Finding hitRate(String what, String paper, double ours, double least) {
        return Finding.compared(
                "client cache hits of " + what + ", refresh 1 s, 1 % updates",
                paper,
                text(new double[] {ours}),
                ours >= least,
                "a client's share of the keys that it reads again before they expire; ours read"
                        + " some hundred times a minute, and the paper does not say how often its"
                        + " own do");
    }

    private CachingResult result(int number) {
        return CachingModel.run(
                CachingSpec.PAPER
                        .withRefreshMillis(REFRESH_MILLIS[number / UPDATES.length])
                        .withWriteShare(UPDATES[number % UPDATES.length]),
                900 + number % UPDATES.length,
                reads);
    }

    private static boolean isFalling(double[] values) {
        for (int i = 1; i < values.length; i++) {
            if (values[i] >= values[i - 1]) {
                return false;
            }
        }
        return true;
    }

    private static String text(double[] shares) {
        StringBuilder text = new StringBuilder();
        for (double share : shares) {
            text.append(text.isEmpty() ? "" : ", ").append(Phrase.of("%.0f %%", 100 * share));
        }
        return text.toString();
    }
}
