package io.kipimo.harness.soak;

import io.kipimo.harness.soak.Vitals.VitalFigure;
import java.util.List;

/**
 * A comparison that shows whether a figure grew between the second and the last quarter of a run. The first quarter is
 * warm-up. A quarter's value is its median. For the heap it is the minimum, which is closest to the live data.
 *
 * @param before value of the second quarter
 * @param after value of the last quarter
 */
record Flatness(VitalFigure figure, double before, double after) {
    /** Greatest relative growth that counts as flat. */
    private static final double SHARE = 0.1;

    /** Least number of samples that allows a conclusion. */
    static final int LEAST_SAMPLES = 8;

    /**
     * Compares the quarters.
     *
     * @param samples in order of time, at equal intervals
     * @throws IllegalArgumentException if there are fewer than {@value #LEAST_SAMPLES}
     */
    static Flatness of(VitalFigure figure, List<Vitals> samples) {
        if (samples.size() < LEAST_SAMPLES) {
            throw new IllegalArgumentException(samples.size() + " samples; allowed: at least " + LEAST_SAMPLES);
        }
        int quarter = samples.size() / 4;
        return new Flatness(
                figure,
                value(figure, samples.subList(quarter, 2 * quarter)),
                value(figure, samples.subList(samples.size() - quarter, samples.size())));
    }

    boolean isFlat() {
        return after <= before * (1 + SHARE) + figure.slack();
    }

    private static double value(VitalFigure figure, List<Vitals> samples) {
        double[] sorted =
                samples.stream().mapToDouble(v -> v.get(figure)).sorted().toArray();
        return figure == VitalFigure.HEAP_BYTES ? sorted[0] : sorted[sorted.length / 2];
    }
}
