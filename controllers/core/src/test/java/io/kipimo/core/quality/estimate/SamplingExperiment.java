package io.kipimo.core.quality.estimate;

import io.kipimo.core.quality.estimate.SearchServiceModel.Query;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.schemas.quality.Estimate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;

/**
 * Table II of Ubora (sec. 8): the error of the quality of control batches of 100 queries at low sampling rates, over
 * seeded runs of {@link SearchServiceModel}. The error is relative to the true quality of all 100 queries; the paper's
 * is relative to the result of 10 % sampling. While an estimator has no estimate, its last one holds, as in a
 * controller.
 */
final class SamplingExperiment {
    static final double[] RATES = {0.10, 0.05, 0.03, 0.02, 0.01};

    private static final int BATCH_QUERIES = 100;
    private static final int BATCHES = 90;

    /** Length of the averaging window; these first batches are not judged. */
    private static final int HISTORY_BATCHES = 20;

    /** Errors, coverage and width of one estimator at one rate; fractions. */
    static final class Track {
        private final DescriptiveStatistics errors = new DescriptiveStatistics();
        private final DescriptiveStatistics halfWidths = new DescriptiveStatistics();
        private long judged;
        private long covered;
        private double last = 1;

        private void judge(Optional<Estimate> estimate, double truth) {
            estimate.ifPresent(e -> last = e.mean());
            errors.addValue(Math.abs(last - truth) / truth);
            estimate.ifPresent(e -> {
                judged++;
                covered += e.low() <= truth + 1e-9 && truth <= e.high() + 1e-9 ? 1 : 0;
                halfWidths.addValue(e.halfWidth());
            });
        }

        double meanError() {
            return errors.getMean();
        }

        double error95() {
            return errors.getPercentile(95);
        }

        double coverage() {
            return (double) covered / judged;
        }

        double halfWidth() {
            return halfWidths.getMean();
        }

        /** Share of the batches with an estimate. */
        double known() {
            return (double) judged / errors.getN();
        }

        String row() {
            return String.format(
                    Locale.ROOT,
                    "%5.1f %5.1f %5.1f ±%.3f %3.0f",
                    100 * meanError(),
                    100 * error95(),
                    100 * coverage(),
                    halfWidth(),
                    100 * known());
        }
    }

    /** All estimators at one rate. */
    static final class Row {
        final double rate;

        /** The mean of the batch's samples, as in the paper. */
        final Track plain = new Track();

        /** The mean of all samples of history and batch. */
        final Track plainWithHistory = new Track();

        /** Stratified, the batch alone. */
        final Track alone = new Track();

        /** Stratified, the batch with its history, as controllers use it. */
        final Track stratified = new Track();

        /** Stratified, the averaging window itself against the true quality of that window. */
        final Track window = new Track();

        private Row(double rate) {
            this.rate = rate;
        }
    }

    private SamplingExperiment() {}

    static List<Row> run(int runs) {
        List<Row> rows = new ArrayList<>();
        for (double rate : RATES) {
            rows.add(new Row(rate));
        }
        for (int seed = 0; seed < runs; seed++) {
            SearchServiceModel service = new SearchServiceModel(seed, BATCHES);
            List<List<Query>> batches = new ArrayList<>();
            for (int batch = 0; batch < BATCHES; batch++) {
                batches.add(service.batch(batch, BATCH_QUERIES));
            }
            rows.forEach(row -> follow(batches, row));
        }
        return rows;
    }

    static String table(List<Row> rows) {
        StringBuilder table =
                new StringBuilder("per estimator: mean error %, 95th percentile %, coverage %, half-width, "
                        + "share with an estimate %\n"
                        + "rate  | plain                     | plain with history        "
                        + "| stratified, batch alone   | stratified with history   | averaging window\n");
        for (Row row : rows) {
            table.append(String.format(
                    Locale.ROOT,
                    "%4.0f%% | %s | %s | %s | %s | %s%n",
                    100 * row.rate,
                    row.plain.row(),
                    row.plainWithHistory.row(),
                    row.alone.row(),
                    row.stratified.row(),
                    row.window.row()));
        }
        return table.toString();
    }

    private static void follow(List<List<Query>> batches, Row row) {
        Deque<StratumCounts> windowCounts = new ArrayDeque<>();
        Deque<Double> windowTruths = new ArrayDeque<>();
        for (List<Query> queries : batches) {
            StratumCounts counts = counts(queries, row.rate);
            double truth =
                    queries.stream().mapToDouble(Query::quality).average().orElseThrow();
            if (windowCounts.size() == HISTORY_BATCHES) {
                StratumCounts history = windowCounts.stream().reduce(StratumCounts.NONE, StratumCounts::plus);
                row.plain.judge(PlainEstimator.estimate(counts), truth);
                row.plainWithHistory.judge(PlainEstimator.estimate(history.plus(counts)), truth);
                row.alone.judge(StratifiedEstimator.estimate(counts), truth);
                row.stratified.judge(StratifiedEstimator.estimate(counts, history), truth);
                row.window.judge(
                        StratifiedEstimator.estimate(history),
                        windowTruths.stream().mapToDouble(t -> t).average().orElseThrow());
                windowCounts.removeFirst();
                windowTruths.removeFirst();
            }
            windowCounts.addLast(counts);
            windowTruths.addLast(truth);
        }
    }

    private static StratumCounts counts(List<Query> queries, double rate) {
        StratumCounts counts = StratumCounts.NONE;
        for (Query query : queries) {
            counts = counts.plusCounted(1, query.degraded() ? 1 : 0);
            if (ConsistentSampling.isSampled(query.id(), rate)) {
                counts = query.degraded() ? counts.plusDegraded(query.quality(), query.quality()) : counts.plusClean();
            }
        }
        return counts;
    }
}
