package io.kipimo.bench.foreseen;

import io.kipimo.schemas.completeness.CalibrationBin;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.interval.ConfidenceInterval;
import org.apache.commons.math3.stat.interval.IntervalUtils;
import org.apache.commons.math3.stat.ranking.NaturalRanking;

/**
 * Predictions of figures within 0..1, with the figures that came true.
 *
 * @param predicted each 0..1
 * @param actual 0 or 1 for events
 */
record Predictions(double[] predicted, double[] actual) {
    private static final int BINS = 10;
    private static final double LEAST = 1e-6;
    private static final double SIGNIFICANT = 0.05;

    /** Keeps only the cases that have a prediction; a NaN in {@code predicted} means that there is none. */
    static Predictions of(double[] predicted, double[] actual) {
        int[] kept = IntStream.range(0, predicted.length)
                .filter(i -> !Double.isNaN(predicted[i]))
                .toArray();
        return new Predictions(
                IntStream.of(kept).mapToDouble(i -> predicted[i]).toArray(),
                IntStream.of(kept).mapToDouble(i -> actual[i]).toArray());
    }

    int size() {
        return predicted.length;
    }

    double meanActual() {
        return IntStream.range(0, size()).mapToDouble(i -> actual[i]).average().orElse(Double.NaN);
    }

    /** Mean cross-entropy, nats; 0 is perfect. */
    double logLoss() {
        return IntStream.range(0, size())
                .mapToDouble(i -> {
                    double p = Math.max(LEAST, Math.min(1 - LEAST, predicted[i]));
                    return -actual[i] * Math.log(p) - (1 - actual[i]) * Math.log(1 - p);
                })
                .average()
                .orElse(Double.NaN);
    }

    /** Probability that an event has the greater prediction than a non-event; ties count half (Mann and Whitney). */
    double areaUnderCurve() {
        double[] ranks = size() == 0 ? predicted : new NaturalRanking().rank(predicted);
        double events = 0;
        double sum = 0;
        for (int i = 0; i < size(); i++) {
            events += actual[i];
            sum += actual[i] * ranks[i];
        }
        return (sum - events * (events + 1) / 2) / (events * (size() - events));
    }

    double rootMeanSquareError() {
        return Math.sqrt(IntStream.range(0, size())
                .mapToDouble(i -> (predicted[i] - actual[i]) * (predicted[i] - actual[i]))
                .average()
                .orElse(Double.NaN));
    }

    /** Mean predicted and mean actual figure in each tenth of the predicted range. */
    List<CalibrationBin> bins() {
        long[] counts = new long[BINS];
        double[] sums = new double[BINS];
        double[] actualSums = new double[BINS];
        for (int i = 0; i < size(); i++) {
            int bin = Math.min(BINS - 1, (int) (predicted[i] * BINS));
            counts[bin]++;
            sums[bin] += predicted[i];
            actualSums[bin] += actual[i];
        }
        List<CalibrationBin> bins = new ArrayList<>();
        for (int bin = 0; bin < BINS; bin++) {
            double count = Math.max(1, counts[bin]);
            bins.add(new CalibrationBin(
                    (double) bin / BINS, (bin + 1.0) / BINS, counts[bin], sums[bin] / count, actualSums[bin] / count));
        }
        return bins;
    }

    /**
     * Expected calibration error: the distance between the predicted and the actual mean of each bin, averaged over all
     * predictions.
     */
    double calibrationError() {
        return bins().stream().mapToDouble(b -> b.queries() * error(b)).sum() / size();
    }

    /**
     * Number of tenths of predicted events that miss the actual share by more than a bar even if chance is allowed for.
     * Chance is allowed for by Wilson's binomial intervals, at 95 % for all tenths together.
     */
    long tenthsOff(double bar) {
        return bins().stream()
                .filter(bin -> bin.queries() > 0)
                .filter(bin -> {
                    ConfidenceInterval chance = IntervalUtils.getWilsonScoreInterval(
                            (int) bin.queries(),
                            (int) Math.round(bin.queries() * bin.meanMeasured()),
                            1 - SIGNIFICANT / BINS);
                    return bin.meanPredicted() < chance.getLowerBound() - bar
                            || bin.meanPredicted() > chance.getUpperBound() + bar;
                })
                .count();
    }

    private static double error(CalibrationBin bin) {
        return Math.abs(bin.meanPredicted() - bin.meanMeasured());
    }

    /**
     * Greatest share of all cases that could be skipped, highest predictions first, so that at most a given share of
     * the skipped ones are non-events. The cut is chosen in hindsight.
     */
    double skippable(double mostWrong) {
        List<Integer> order = IntStream.range(0, size())
                .boxed()
                .sorted(Comparator.comparingDouble(i -> -predicted[i]))
                .toList();
        int skipped = 0;
        double wrong = 0;
        for (int n = 0; n < size(); n++) {
            wrong += 1 - actual[order.get(n)];
            boolean tied = n + 1 < size() && predicted[order.get(n + 1)] == predicted[order.get(n)];
            skipped = !tied && wrong <= mostWrong * (n + 1) ? n + 1 : skipped;
        }
        return (double) skipped / size();
    }
}
