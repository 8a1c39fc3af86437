package io.kipimo.core.quality.deadline;

import io.kipimo.core.sampling.ConsistentSampling;

/**
 * Limits how many queries are profiled a second, so that profiling does not slow down the join. A hash of the query id,
 * independent of quality and sampling, chooses the queries. The share of chosen queries follows from the number of
 * candidates in the last second; queries of a burst above the limit are not profiled.
 *
 * <p>Mutable, owned by one operator; time is an argument.
 */
public final class ProfileBudget {
    private static final long SECOND_MILLIS = 1000;

    /** Multiplier that spreads the bits that sampling left random. It is odd, so multiplication is a bijection. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final int perSecond;
    private double share = 1;
    private long secondMillis = Long.MIN_VALUE;
    private long candidates;
    private int admitted;

    /**
     * @param perSecond most profiles a second; 0: none
     * @throws IllegalArgumentException if {@code perSecond} is negative
     */
    public ProfileBudget(int perSecond) {
        if (perSecond < 0) {
            throw new IllegalArgumentException("profiles a second are " + perSecond + "; allowed: at least 0");
        }
        this.perSecond = perSecond;
    }

    /**
     * Whether to profile this query.
     *
     * @param randomness randomness of the query, from {@link ConsistentSampling}
     * @param nowMillis processing time, epoch milliseconds
     */
    public boolean admits(long randomness, long nowMillis) {
        long second = Math.floorDiv(nowMillis, SECOND_MILLIS);
        if (second != secondMillis) {
            // The second before a pause does not predict the load after it.
            share = second == secondMillis + 1 ? shareFor(candidates) : share;
            secondMillis = second;
            candidates = 0;
            admitted = 0;
        }
        candidates++;
        if (admitted >= perSecond || !isChosen(randomness, share)) {
            return false;
        }
        admitted++;
        return true;
    }

    private double shareFor(long expected) {
        return expected <= perSecond ? 1 : (double) perSecond / expected;
    }

    static boolean isChosen(long randomness, double share) {
        if (share >= 1) {
            return true;
        }
        long mixed = randomness * SPREAD;
        return (mixed >>> 11) * 0x1p-53 < share;
    }
}
