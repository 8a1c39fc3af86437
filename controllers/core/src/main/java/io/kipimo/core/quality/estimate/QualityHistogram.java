package io.kipimo.core.quality.estimate;

import java.util.Arrays;

/**
 * Counts of qualities by thousandth; sparse, immutable, mergeable in any order with the same result.
 *
 * @param bins ascending, 0..1000; bin b holds the qualities from b / 1000 to below the next
 * @param counts positive, one a bin
 */
public record QualityHistogram(int[] bins, int[] counts) {
    /** Bins per unit of quality. */
    public static final int RESOLUTION = 1000;

    /** A histogram without qualities. */
    public static final QualityHistogram EMPTY = new QualityHistogram(new int[0], new int[0]);

    /** Added before rounding down. Otherwise 0.29 * 1000 = 289.99999999999994 would fall into the bin below. */
    private static final double ROUNDING = 1e-6;

    /**
     * Checks the bins.
     *
     * @throws IllegalArgumentException if bins are not ascending within 0..1000, or not every bin has a positive count
     */
    public QualityHistogram {
        boolean valid = bins.length == counts.length;
        for (int i = 0; valid && i < bins.length; i++) {
            valid = bins[i] > (i == 0 ? -1 : bins[i - 1]) && counts[i] > 0;
        }
        if (!valid || (bins.length > 0 && bins[bins.length - 1] > RESOLUTION)) {
            throw new IllegalArgumentException(
                    ("histogram has bins %s and counts %s; allowed: ascending bins within 0..1000, a "
                                    + "positive count each")
                            .formatted(Arrays.toString(bins), Arrays.toString(counts)));
        }
    }

    /**
     * The histogram plus one quality.
     *
     * @throws IllegalArgumentException if the quality is not within 0..1
     */
    public QualityHistogram add(double quality) {
        return plus(new QualityHistogram(new int[] {binOf(quality)}, new int[] {1}));
    }

    /** The histogram of the qualities of both. */
    public QualityHistogram plus(QualityHistogram other) {
        int[] mergedBins = new int[bins.length + other.bins.length];
        int[] mergedCounts = new int[mergedBins.length];
        int size = 0;
        int mine = 0;
        int others = 0;
        while (mine < bins.length || others < other.bins.length) {
            int myBin = mine < bins.length ? bins[mine] : Integer.MAX_VALUE;
            int otherBin = others < other.bins.length ? other.bins[others] : Integer.MAX_VALUE;
            mergedBins[size] = Math.min(myBin, otherBin);
            if (myBin <= otherBin) {
                mergedCounts[size] += counts[mine++];
            }
            if (otherBin <= myBin) {
                mergedCounts[size] += other.counts[others++];
            }
            size++;
        }
        return new QualityHistogram(Arrays.copyOf(mergedBins, size), Arrays.copyOf(mergedCounts, size));
    }

    public long count() {
        long count = 0;
        for (int bin : counts) {
            count += bin;
        }
        return count;
    }

    /**
     * The quality that this share of all qualities does not exceed (nearest rank), rounded down to a thousandth; 0
     * without qualities.
     *
     * @param share 0..1; 0 is the minimum, 0.5 the median
     * @throws IllegalArgumentException if the share is not within 0..1
     */
    public double quantile(double share) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("share is " + share + "; allowed: 0..1");
        }
        // 0.05 * 20 must be rank 1 despite rounding.
        long rank = Math.max(1, (long) Math.ceil(share * count() - ROUNDING));
        long seen = 0;
        for (int i = 0; i < bins.length; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return (double) bins[i] / RESOLUTION;
            }
        }
        return 0;
    }

    /** The smallest quality, rounded down to a thousandth; 0 without qualities. */
    public double minimum() {
        return quantile(0);
    }

    /**
     * The share of the qualities that are below the objective, 0..1; 0 without qualities.
     *
     * @param objective 0..1; rounded down to a thousandth, as the qualities are
     * @throws IllegalArgumentException if the objective is not within 0..1
     */
    public double shareBelow(double objective) {
        int objectiveBin = binOf(objective);
        long below = 0;
        for (int i = 0; i < bins.length && bins[i] < objectiveBin; i++) {
            below += counts[i];
        }
        return below == 0 ? 0 : (double) below / count();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof QualityHistogram histogram
                && Arrays.equals(bins, histogram.bins)
                && Arrays.equals(counts, histogram.counts);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(bins) + Arrays.hashCode(counts);
    }

    @Override
    public String toString() {
        return "QualityHistogram" + Arrays.toString(bins) + Arrays.toString(counts);
    }

    /**
     * The bin that a quality falls into.
     *
     * @throws IllegalArgumentException if the quality is not within 0..1
     */
    public static int binOf(double quality) {
        if (!(quality >= 0 && quality <= 1)) {
            throw new IllegalArgumentException("quality is " + quality + "; allowed: 0..1");
        }
        return (int) (quality * RESOLUTION + ROUNDING);
    }
}
