package io.kipimo.core.sampling;

/**
 * Chooses the queries that always ask all components, so that the choice of components learns from all components and
 * is tested. These are the queries with {@code R' >= T}, as in {@link ConsistentSampling}. R' is the rightmost 56 bits
 * of xxHash64 over the id's UTF-8 bytes, seeded with {@link #SALT}, for ids of every form. The explored queries of a
 * share contain those of any smaller share. They are independent of the sampled and of the admitted queries. Every
 * front end that has the id makes the same decision.
 */
public final class Exploration {
    /** Seed of the hash: "Explore!" in ASCII. Sampling and admission use other seeds. */
    public static final long SALT = 0x4578_706C_6F72_6521L;

    private Exploration() {}

    /**
     * Whether a query is explored.
     *
     * @param share fraction of the queries, 0..1; 0 explores none, 1 all
     * @throws IllegalArgumentException if the share is not within 0..1
     */
    public static boolean isExplored(String queryId, double share) {
        return isExplored(randomness(queryId), share);
    }

    /**
     * Whether a query is explored whose R' is known.
     *
     * @throws IllegalArgumentException if the share is not within 0..1
     */
    public static boolean isExplored(long randomness, double share) {
        return randomness >= ConsistentSampling.threshold(share);
    }

    /** R' of a query id, 0..2^56 - 1. */
    public static long randomness(String queryId) {
        return XxHash64.hash(queryId, SALT) & (ConsistentSampling.RANDOMNESS_RANGE - 1);
    }
}
