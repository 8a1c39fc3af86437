package io.kipimo.bench.rating;

import io.kipimo.schemas.rating.RatingTrial;
import io.kipimo.schemas.rating.TrialVerdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A rating by brute force: it tries every load in steps of 2 %, without knowledge of the curve. The best load is the
 * one with the most throughput, if it passes twice more. Only these two further readings count, because the highest of
 * many readings is a lucky one.
 *
 * @param best empty: no load passed three times
 * @param experiments number of experiments, void ones included
 */
record Sweep(Optional<Best> best, int experiments) {
    private static final double STEP = 1.02;
    private static final int CONFIRMATIONS = 2;

    /** Number of loads in a row whose failure ends the sweep. */
    private static final int MOST_FAILED = 3;

    /** A load, and its throughput in requests a second. */
    record Best(long load, double throughput) {}

    /**
     * Sweeps a store.
     *
     * @param experiment runs one experiment at a load
     */
    static Sweep of(long highestLoad, RatingStoresBenchmark.Runs experiment) throws InterruptedException {
        List<RatingTrial> passed = new ArrayList<>();
        int experiments = 0;
        int failed = 0;
        for (long load = 1;
                load <= highestLoad && failed < MOST_FAILED;
                load = Math.max(load + 1, Math.round(load * STEP))) {
            RatingTrial trial = experiment.at(load);
            experiments++;
            if (trial.verdict() == TrialVerdict.PASSED) {
                passed.add(trial);
                failed = 0;
            } else if (trial.verdict() == TrialVerdict.FAILED) {
                failed++;
            }
        }
        passed.sort(Comparator.comparingDouble(RatingTrial::throughput).reversed());
        for (RatingTrial candidate : passed) {
            double sum = 0;
            int kept = 0;
            while (kept < CONFIRMATIONS) {
                RatingTrial again = experiment.at(candidate.load());
                experiments++;
                if (again.verdict() != TrialVerdict.PASSED) {
                    break;
                }
                sum += again.throughput();
                kept++;
            }
            if (kept == CONFIRMATIONS) {
                return new Sweep(Optional.of(new Best(candidate.load(), sum / kept)), experiments);
            }
        }
        return new Sweep(Optional.empty(), experiments);
    }
}
