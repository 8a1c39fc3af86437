package io.kipimo.core.admission;

import io.kipimo.schemas.observation.CostCount;

/** Ranges of predicted cost, four for each power of two; their number is bounded. */
public final class CostBins {
    private static final double BINS_PER_POWER = 4;
    private static final double LOG_2 = Math.log(2);

    private CostBins() {}

    /** Whether a cost is known: it is finite and above 0. */
    public static boolean isKnown(double cost) {
        return cost > 0 && cost <= Double.MAX_VALUE;
    }

    /**
     * The bin of a known cost: {@code floor(4 log2(cost))}, within {@link CostCount#LEAST_BIN} and
     * {@link CostCount#GREATEST_BIN}.
     */
    public static int of(double cost) {
        double bin = Math.floor(BINS_PER_POWER * Math.log(cost) / LOG_2);
        return (int) Math.max(CostCount.LEAST_BIN, Math.min(CostCount.GREATEST_BIN, bin));
    }

    /** Upper end of a bin, exclusive. */
    static double upTo(int bin) {
        return Math.pow(2, (bin + 1) / BINS_PER_POWER);
    }
}
