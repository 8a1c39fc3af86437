package io.kipimo.harness.soak;

import io.kipimo.harness.soak.Vitals.Figure;
import java.util.List;

/**
 * Whether a figure grew between the second and the last quarter of a run; the first quarter is for
 * warming up. A quarter's value is its median; of the heap it is the least, which is nearest to
 * what lives.
 *
 * @param before in the second quarter
 * @param after in the last quarter
 */
record Flatness(Figure figure, double before, double after) {
    /** Growth of this share is none. */
    private static final double SHARE = 0.1;

    /** Fewer samples tell nothing. */
    static final int LEAST_SAMPLES = 8;

    /**
     * @param samples in the order of time, at equal distances
     * @throws IllegalArgumentException if there are fewer than {@value #LEAST_SAMPLES}
     */
    static Flatness of(Figure figure, List<Vitals> samples) {
        if (samples.size() < LEAST_SAMPLES) {
            throw new IllegalArgumentException(
                    samples.size() + " samples; allowed: at least " + LEAST_SAMPLES);
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

    private static double value(Figure figure, List<Vitals> samples) {
        double[] sorted = samples.stream().mapToDouble(v -> v.get(figure)).sorted().toArray();
        return figure == Figure.HEAP_BYTES ? sorted[0] : sorted[sorted.length / 2];
    }
}
