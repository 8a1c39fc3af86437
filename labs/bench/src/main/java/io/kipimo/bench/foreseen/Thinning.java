package io.kipimo.bench.foreseen;

import io.kipimo.core.quality.estimate.AssistedEstimator;
import io.kipimo.core.quality.estimate.CostMemory;
import io.kipimo.core.quality.estimate.CostModel;
import io.kipimo.core.quality.estimate.CostSums;
import io.kipimo.core.quality.estimate.MissingCounts;
import io.kipimo.core.quality.estimate.StratifiedEstimator;
import io.kipimo.core.quality.estimate.StratumCounts;
import io.kipimo.schemas.quality.Estimate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * Mean qualities of windows if only some degraded answers mature. A tenth of the late calls matures, either of all
 * answers alike, or in proportion to a predicted spread of the loss. The inverse inclusion probabilities are the
 * weights (Horvitz and Thompson, 1952).
 */
final class Thinning {
    /** Queries of a window. */
    private static final int WINDOW = 500;

    /** Late calls that mature, as a share of all. */
    private static final double MATURED = 0.1;

    /** Windows of the averaging window. */
    private static final int HISTORY = 4;

    /** Least predicted spread of a loss; lower ones would give weights without bound. */
    private static final double LEAST_SPREAD = 0.05;

    private static final String METRIC = "tpr";

    private final Recording recording;
    private final double[] losses;
    private final List<List<String>> missing;

    /**
     * A window whose answers matured in the same way, by the product's estimators. The predicted losses are those of
     * the assisted estimator.
     */
    private record ThinnedWindow(int from, double[] predictedLosses, Estimate stratified, Estimate assisted) {}

    /** Errors of one estimate of the windows' mean quality. */
    static final class ThinningErrors {
        private double squares;
        private int covered;
        private int windows;

        void add(Estimate estimate, double truth) {
            squares += (estimate.mean() - truth) * (estimate.mean() - truth);
            covered += estimate.low() <= truth + 1e-9 && truth <= estimate.high() + 1e-9 ? 1 : 0;
            windows++;
        }

        double rootMeanSquare() {
            return Math.sqrt(squares / windows);
        }

        double cover() {
            return (double) covered / windows;
        }

        int windows() {
            return windows;
        }
    }

    Thinning(Recording recording) {
        this.recording = recording;
        losses = IntStream.range(0, recording.size())
                .mapToDouble(i -> 1 - recording.quality(i))
                .toArray();
        missing = IntStream.range(0, recording.size())
                .mapToObj(i -> recording
                        .query(i)
                        .outstanding(recording.deadlineMicros())
                        .mapToObj(Integer::toString)
                        .toList())
                .toList();
    }

    double loss(int query) {
        return losses[query];
    }

    /**
     * What the assisted estimate predicts of each loss, from the samples of earlier windows; 0 where nothing is
     * missing.
     */
    double[] predictedLosses(long seed) {
        double[] predicted = new double[losses.length];
        for (ThinnedWindow window : alike(seed)) {
            System.arraycopy(window.predictedLosses, 0, predicted, window.from, WINDOW);
        }
        return predicted;
    }

    /**
     * Adds the errors of the product's estimates of alike samples.
     *
     * @param squares as for {@link #thin}; windows count from which on they are known
     */
    void alike(double[] squares, int repeats, long seed, ThinningErrors stratified, ThinningErrors assisted) {
        for (int repeat = 0; repeat < repeats; repeat++) {
            for (ThinnedWindow window : alike(seed + repeat)) {
                if (isKnown(squares, window.from)) {
                    stratified.add(window.stratified, mean(window.from));
                    assisted.add(window.assisted, mean(window.from));
                }
            }
        }
    }

    /**
     * Adds the errors of thinned samples.
     *
     * @param squares expected square of each loss, or of its residual; NaN: unknown, or nothing is missing
     * @param isAssisted whether samples correct predicted losses, instead of giving the mean loss alone
     */
    void thin(double[] squares, boolean isAssisted, int repeats, long seed, ThinningErrors errors) {
        for (int repeat = 0; repeat < repeats; repeat++) {
            SplittableRandom random = new SplittableRandom(~seed - repeat);
            for (ThinnedWindow window : alike(seed + repeat)) {
                if (isKnown(squares, window.from)) {
                    double[] predicted = isAssisted ? window.predictedLosses : new double[WINDOW];
                    errors.add(thinned(window.from, squares, predicted, random), mean(window.from));
                }
            }
        }
    }

    private Estimate thinned(int from, double[] squares, double[] predictedLosses, SplittableRandom random) {
        double[] inclusion = inclusion(from, squares);
        double loss = 0;
        double variance = 0;
        int samples = 0;
        for (int n = 0; n < WINDOW; n++) {
            loss += predictedLosses[n];
            if (random.nextDouble() < inclusion[n]) {
                double weighted = (losses[from + n] - predictedLosses[n]) / inclusion[n];
                loss += weighted;
                variance += (1 - inclusion[n]) * weighted * weighted;
                samples++;
            }
        }
        double reach = samples < 2
                ? WINDOW
                : new TDistribution(null, samples - 1.0).inverseCumulativeProbability(0.975) * Math.sqrt(variance);
        return new Estimate(quality(loss + reach), quality(loss), quality(loss - reach));
    }

    private static double quality(double loss) {
        return Math.max(0, Math.min(1, 1 - loss / WINDOW));
    }

    /**
     * Probabilities in proportion to the spreads, such that a tenth of the late calls matures; 0 where nothing is late.
     */
    private double[] inclusion(int from, double[] squares) {
        double calls = 0;
        for (int i = from; i < from + WINDOW; i++) {
            calls += missing.get(i).size();
        }
        double[] inclusion = new double[WINDOW];
        double low = 0;
        double high = 1 / LEAST_SPREAD;
        for (int step = 0; step < 50; step++) {
            double factor = (low + high) / 2;
            double matured = 0;
            for (int n = 0; n < WINDOW; n++) {
                int late = missing.get(from + n).size();
                inclusion[n] =
                        late == 0 ? 0 : Math.min(1, factor * Math.max(LEAST_SPREAD, Math.sqrt(squares[from + n])));
                matured += late * inclusion[n];
            }
            low = matured < MATURED * calls ? factor : low;
            high = matured < MATURED * calls ? high : factor;
        }
        return inclusion;
    }

    private boolean isKnown(double[] squares, int from) {
        return IntStream.range(from, from + WINDOW)
                .noneMatch(i -> !missing.get(i).isEmpty() && Double.isNaN(squares[i]));
    }

    private double mean(int from) {
        return 1 - Arrays.stream(losses, from, from + WINDOW).average().orElseThrow();
    }

    private List<ThinnedWindow> alike(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        CostMemory memory = new CostMemory();
        List<MissingCounts> history = new ArrayList<>();
        List<ThinnedWindow> windows = new ArrayList<>();
        for (int from = 0; from + WINDOW <= losses.length; from += WINDOW) {
            CostSums sampled = new CostSums();
            MissingCounts counts = counts(from, sampled, random);
            MissingCounts averaged = history.subList(Math.max(0, history.size() - HISTORY), history.size()).stream()
                    .reduce(counts, MissingCounts::plus);
            Optional<CostModel> model = CostModel.of(memory, METRIC);
            double[] predicted = new double[WINDOW];
            for (int n = 0; n < WINDOW && model.isPresent(); n++) {
                List<String> lacked = missing.get(from + n);
                predicted[n] = lacked.isEmpty() ? 0 : model.get().loss(lacked);
            }
            Optional<Estimate> stratified = StratifiedEstimator.estimate(counts.strata());
            Optional<Estimate> assisted = model.flatMap(m -> AssistedEstimator.estimate(counts, averaged, m));
            if (stratified.isPresent()) {
                windows.add(new ThinnedWindow(
                        from,
                        predicted,
                        stratified.get(),
                        assisted.or(() -> stratified).get()));
            }
            memory.learn(sampled);
            history.add(counts);
        }
        return windows;
    }

    private MissingCounts counts(int from, CostSums sampled, SplittableRandom random) {
        StratumCounts strata = StratumCounts.NONE;
        Map<String, Long> all = new HashMap<>();
        Map<String, Long> ofSampled = new HashMap<>();
        for (int i = from; i < from + WINDOW; i++) {
            List<String> lacked = missing.get(i);
            strata = strata.plusCounted(1, lacked.isEmpty() ? 0 : 1);
            lacked.forEach(component -> all.merge(component, 1L, Long::sum));
            if (!lacked.isEmpty() && random.nextDouble() < MATURED) {
                double quality = 1 - losses[i];
                strata = strata.plusDegraded(quality, quality);
                lacked.forEach(component -> ofSampled.merge(component, 1L, Long::sum));
                sampled.add(lacked);
                sampled.addLoss(lacked, METRIC, quality, quality);
            }
        }
        return new MissingCounts(strata, all, Collections.unmodifiableMap(ofSampled));
    }
}
