package io.kipimo.labs.reproductions;

import io.kipimo.simulator.caching.CachingModel;
import io.kipimo.simulator.caching.CachingResult;
import io.kipimo.simulator.caching.CachingSpec;
import io.kipimo.simulator.report.LinePlot;
import io.kipimo.simulator.report.Phrase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Reproduces the shares of stale reads and stale queries over the refresh interval of the filter, for 10 and 100
 * clients (Quaestor, sec. 6.2, fig. 10). Also checks that no read is staler than the interval (Theorem 1).
 */
final class QuaestorFigure10 implements Experiment {
    private static final int[] CLIENTS = {10, 100};
    private static final long[] REFRESH_MILLIS = {1_000, 5_000, 10_000, 30_000, 50_000};
    private static final long READS = 400_000;

    private final long reads;

    QuaestorFigure10() {
        this(READS);
    }

    /**
     * Makes the experiment.
     *
     * @param reads number of reads of each point
     */
    QuaestorFigure10(long reads) {
        this.reads = reads;
    }

    @Override
    public Reproduction run() {
        List<CachingResult> all = IntStream.range(0, CLIENTS.length * REFRESH_MILLIS.length)
                .parallel()
                .mapToObj(this::result)
                .toList();
        List<Finding> findings = new ArrayList<>();
        double[] seconds =
                Arrays.stream(REFRESH_MILLIS).mapToDouble(m -> m / 1e3).toArray();
        LinePlot plot = new LinePlot("Share of stale reads", "refresh interval, s");
        for (int c = 0; c < CLIENTS.length; c++) {
            List<CachingResult> row = all.subList(c * REFRESH_MILLIS.length, (c + 1) * REFRESH_MILLIS.length);
            double[] records = values(row, CachingResult::staleRecordShare);
            double[] queries = values(row, CachingResult::staleQueryShare);
            plot.line(CLIENTS[c] + " clients, records", seconds, records);
            plot.line(CLIENTS[c] + " clients, queries", seconds, queries);
            findings.add(Finding.compared(
                    CLIENTS[c] + " clients: stale queries at 1, 10, 50 s",
                    "rise to 10 s, then flatten",
                    text(queries),
                    queries[2] > 2 * queries[0] && slope(queries, 2, 4) < slope(queries, 0, 2),
                    "a client seldom drops a stale copy by its own write, which limits the paper's staleness"));
            findings.add(Finding.compared(
                    CLIENTS[c] + " clients: queries are staler than records, at 10 s",
                    "yes",
                    Phrase.of("%.2f %% against %.2f %%", 100 * queries[2], 100 * records[2]),
                    queries[2] > records[2],
                    "records are cached as often as queries"));
        }
        findings.addAll(QuaestorFigure9.hitRates(all));
        CachingResult byDefault = CachingModel.run(QuaestorFigure9.withDefaults(CachingSpec.PAPER), 1000, reads);
        findings.add(Finding.alone(
                "stale records, queries at 1 s, with the defaults",
                Phrase.of("%.2f %%, %.2f %%", 100 * byDefault.staleRecordShare(), 100 * byDefault.staleQueryShare()),
                ""));
        long tooStale = all.stream().mapToLong(CachingResult::tooStale).sum();
        long backwards =
                all.stream().mapToLong(r -> r.backwards() + r.ownWritesMissed()).sum();
        findings.add(Finding.compared(
                Phrase.of("of %,d reads: staler than the interval; back in time in a session", reads * all.size()),
                "0; 0",
                tooStale + "; " + backwards,
                tooStale == 0 && backwards == 0,
                "a guarantee is broken"));
        return new Reproduction(QuaestorFigure9.setting(CachingSpec.PAPER) + " 1 % writes.", findings, plot);
    }

    /** Rise of a share per millisecond of the interval. */
    private static double slope(double[] shares, int from, int to) {
        return (shares[to] - shares[from]) / (REFRESH_MILLIS[to] - REFRESH_MILLIS[from]);
    }

    private CachingResult result(int number) {
        return CachingModel.run(
                CachingSpec.PAPER
                        .withClients(CLIENTS[number / REFRESH_MILLIS.length])
                        .withRefreshMillis(REFRESH_MILLIS[number % REFRESH_MILLIS.length]),
                1000 + number / REFRESH_MILLIS.length,
                reads);
    }

    private static double[] values(List<CachingResult> results, ToDoubleFunction<CachingResult> figure) {
        return results.stream().mapToDouble(figure).toArray();
    }

    private static String text(double[] shares) {
        return Phrase.of("%.2f %%, %.2f %%, %.2f %%", 100 * shares[0], 100 * shares[2], 100 * shares[4]);
    }
}
