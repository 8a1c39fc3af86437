package io.kipimo.core.quality.estimate;

import io.kipimo.core.quality.estimate.SearchServiceModel.Load;
import io.kipimo.core.quality.estimate.SearchServiceModel.Query;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.schemas.quality.Estimate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Errors of the model-assisted and of the stratified estimate of control batches of 100 queries, against the true
 * quality of all 100, over seeded runs of {@link SearchServiceModel}. After 300 batches to learn from, 80 are judged;
 * in the middle of these the share of heavy queries rises from 20 to 60 %.
 */
final class AssistedExperiment {
    static final double[] RATES = {0.01, 0.02, 0.05, 0.20};

    private static final int BATCH_QUERIES = 100;
    private static final int LEARNED_BATCHES = 300;
    private static final int JUDGED_BATCHES = 80;
    private static final int CHANGE = LEARNED_BATCHES + JUDGED_BATCHES / 2;
    private static final int AFTER_CHANGE = 20;

    /** Of the averaging window. */
    private static final int HISTORY_BATCHES = 20;

    private static final String METRIC = "tpr@20";

    /** Errors of one estimator. */
    static final class Track {
        private double squares;
        private int errors;
        private double biasAfter;
        private int after;
        private int judged;
        private int covered;
        private double widths;
        private double last = 1;

        private void judge(Optional<Estimate> estimate, double truth, boolean afterChange) {
            estimate.ifPresent(e -> last = e.mean());
            double error = last - truth;
            squares += error * error;
            errors++;
            if (afterChange) {
                biasAfter += error;
                after++;
            }
            if (estimate.isPresent()) {
                Estimate e = estimate.get();
                judged++;
                covered += e.low() <= truth + 1e-9 && truth <= e.high() + 1e-9 ? 1 : 0;
                widths += e.halfWidth();
            }
        }

        double rootMeanSquareError() {
            return Math.sqrt(squares / errors);
        }

        double coverage() {
            return (double) covered / judged;
        }

        double biasAfterChange() {
            return biasAfter / after;
        }

        String row() {
            return String.format(
                    Locale.ROOT,
                    "%.4f %+.4f %5.1f ±%.3f",
                    rootMeanSquareError(),
                    biasAfterChange(),
                    100 * coverage(),
                    widths / judged);
        }
    }

    /** Both estimators of one traffic at one rate. */
    record Row(Load load, double rate, Track stratified, Track assisted) {
        double ratio() {
            return assisted.rootMeanSquareError() / stratified.rootMeanSquareError();
        }
    }

    private AssistedExperiment() {}

    static List<Row> run(Load load, int runs) {
        List<Row> rows = new ArrayList<>();
        for (double rate : RATES) {
            rows.add(new Row(load, rate, new Track(), new Track()));
        }
        for (int seed = 0; seed < runs; seed++) {
            SearchServiceModel service =
                    new SearchServiceModel(seed, load, 1.0 / JUDGED_BATCHES, b -> b < CHANGE ? 0.2 : 0.6);
            List<List<Query>> batches = new ArrayList<>();
            for (int batch = 0; batch < LEARNED_BATCHES + JUDGED_BATCHES; batch++) {
                batches.add(service.batch(batch, BATCH_QUERIES));
            }
            rows.forEach(row -> follow(batches, row));
        }
        return rows;
    }

    private static void follow(List<List<Query>> batches, Row row) {
        CostMemory memory = new CostMemory();
        Deque<MissingCounts> window = new ArrayDeque<>();
        for (int batch = 0; batch < batches.size(); batch++) {
            List<Query> queries = batches.get(batch);
            CostSums sampled = new CostSums();
            MissingCounts counts = counts(queries, row.rate, sampled);
            if (batch >= LEARNED_BATCHES) {
                double truth =
                        queries.stream().mapToDouble(Query::quality).average().orElseThrow();
                boolean after = batch >= CHANGE && batch < CHANGE + AFTER_CHANGE;
                MissingCounts history = window.stream().reduce(MissingCounts.NONE, MissingCounts::plus);
                Optional<Estimate> stratified = StratifiedEstimator.estimate(counts.strata(), history.strata());
                row.stratified.judge(stratified, truth, after);
                row.assisted.judge(
                        CostModel.of(memory, METRIC)
                                .flatMap(model -> AssistedEstimator.estimate(counts, history.plus(counts), model))
                                .or(() -> stratified),
                        truth,
                        after);
            }
            memory.learn(sampled);
            window.addLast(counts);
            if (window.size() > HISTORY_BATCHES) {
                window.removeFirst();
            }
        }
    }

    private static MissingCounts counts(List<Query> queries, double rate, CostSums sampled) {
        StratumCounts strata = StratumCounts.NONE;
        Map<String, Long> missing = new HashMap<>();
        Map<String, Long> sampledMissing = new HashMap<>();
        for (Query query : queries) {
            strata = strata.plusCounted(1, query.degraded() ? 1 : 0);
            query.missing().forEach(c -> missing.merge(c, 1L, Long::sum));
            if (ConsistentSampling.isSampled(query.id(), rate)) {
                if (query.degraded()) {
                    strata = strata.plusDegraded(query.quality(), query.quality());
                    query.missing().forEach(c -> sampledMissing.merge(c, 1L, Long::sum));
                    sampled.add(query.missing());
                    sampled.addLoss(query.missing(), METRIC, query.quality(), query.quality());
                } else {
                    strata = strata.plusClean();
                }
            }
        }
        return new MissingCounts(strata, missing, sampledMissing);
    }
}
