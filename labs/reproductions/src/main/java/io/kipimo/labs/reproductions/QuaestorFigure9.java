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
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Reproduces the client cache hit rates of queries over the update rate, for several refresh intervals of the filter
 * (Quaestor, sec. 6.2, fig. 9).
 */
final class QuaestorFigure9 implements Experiment {
    private static final double[] UPDATES = {0.01, 0.05, 0.1, 0.2};
    private static final long[] REFRESH_MILLIS = {1_000, 10_000, 100_000};
    private static final long READS = 400_000;

    /**
     * The paper's number of connections. They pause between operations, so that the reads last as long as the longest
     * interval.
     */
    private static final CachingSpec SPEC = CachingSpec.PAPER.withLoad(10, 120, 200);

    /** Differences of a hit rate that the paper's words allow: "little impact" here, "up to" in the next constant. */
    private static final double LITTLE = 0.15;

    private static final double TOLERANCE = 0.1;

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
        double quick = fall(all.subList(0, UPDATES.length));
        double slow = fall(all.subList(all.size() - UPDATES.length, all.size()));
        findings.add(Finding.compared(
                "hit rate lost from 1 to 20 % updates: refresh 1 s, 100 s",
                "little impact of the interval",
                text(quick, slow),
                Math.abs(quick - slow) < LITTLE,
                "each client revalidates a stale key once an interval, which is a larger share of reads that pause"));
        findings.addAll(hitRates(all));
        CachingResult byDefault = CachingModel.run(withDefaults(SPEC), 900, reads);
        findings.add(Finding.alone(
                "client cache hits of records, queries, refresh 1 s, 1 % updates, with the defaults",
                text(byDefault.clientRecordHitRate(), byDefault.clientQueryHitRate()), ""));
        return new Reproduction(setting(SPEC), findings, plot);
    }

    /**
     * The product's defaults in place of the settings that an operator can change. The origin sends times of
     * evaluation, as one with the SDK does.
     */
    static CachingSpec withDefaults(CachingSpec spec) {
        return CachingSpecBuilder.builder(spec)
                .ttls(TtlSettings.DEFAULT)
                .evaluationTimes(true)
                .build();
    }

    static String difference() {
        return Defaults.difference(TtlSettings.DEFAULT, CachingSpec.PAPER.ttls());
    }

    static String setting(CachingSpec spec) {
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

    private static double fall(List<CachingResult> row) {
        return row.get(0).clientQueryHitRate() - row.get(row.size() - 1).clientQueryHitRate();
    }

    /** Compares the highest hit rates, because the paper prints its rates as "up to". */
    static List<Finding> hitRates(List<CachingResult> results) {
        return List.of(
                hitRate("records", 0.6, results, CachingResult::clientRecordHitRate),
                hitRate("queries", 0.95, results, CachingResult::clientQueryHitRate));
    }

    private static Finding hitRate(
            String what, double paper, List<CachingResult> results, ToDoubleFunction<CachingResult> rate) {
        double ours = results.stream().mapToDouble(rate).max().orElseThrow();
        return Finding.compared(
                "client cache hits of " + what + ", highest",
                "up to " + text(paper),
                text(ours),
                Math.abs(ours - paper) <= TOLERANCE,
                ours < paper
                        ? "these clients read a key more seldom before it expires than the paper's"
                        : "these clients read a key more often before it expires than the paper's");
    }

    private CachingResult result(int number) {
        return CachingModel.run(
                SPEC.withRefreshMillis(REFRESH_MILLIS[number / UPDATES.length])
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

    private static String text(double... shares) {
        StringBuilder text = new StringBuilder();
        for (double share : shares) {
            text.append(text.isEmpty() ? "" : ", ").append(Phrase.of("%.0f %%", 100 * share));
        }
        return text.toString();
    }
}
