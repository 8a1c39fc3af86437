package io.kipimo.core.quality.deadline;

import io.kipimo.core.sampling.ConsistentSampling;

/**
 * Lets at most so many queries a second be profiled, so that advice never costs the join its
 * throughput. Who is chosen goes by a hash of the query id, independent of the quality and of the
 * sampling; the share follows the last second's candidates, and what a burst brings above the
 * allowance is refused.
 *
 * <p>Mutable, owned by one operator; time is an argument.
 */
public final class ProfileBudget {
    private static final long SECOND_MILLIS = 1000;

    /** Odd, so that multiplying by it loses nothing; spreads the bits that sampling has not cut. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final int perSecond;
    private double share = 1;
    private long secondMillis = Long.MIN_VALUE;
    private long candidates;
    private int admitted;

    /**
     * @param perSecond most profiles a second; 0: none
     * @throws IllegalArgumentException if negative
     */
    public ProfileBudget(int perSecond) {
        if (perSecond < 0) {
            throw new IllegalArgumentException(
                    "profiles a second are " + perSecond + "; allowed: at least 0");
        }
        this.perSecond = perSecond;
    }

    /**
     * Whether this query is to be profiled.
     *
     * @param randomness of the query, as {@link ConsistentSampling} tells it
     * @param nowMillis processing time, epoch milliseconds
     */
    public boolean admits(long randomness, long nowMillis) {
        long second = Math.floorDiv(nowMillis, SECOND_MILLIS);
        if (second != secondMillis) {
            // A pause says nothing of the load that ends it.
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
