package io.kipimo.core.admission;

import io.kipimo.core.sampling.XxHash64;

/**
 * Decides by a hash whether a query is admitted: {@code u = hash(id; salt) < fraction}. All gateways and tiers shed the
 * same queries, and a retry of a shed query is shed again. The salt changes every hour, so that shedding hits other
 * users over time. A greater fraction admits every query that a smaller one admits.
 *
 * <p>The hash is xxHash64 of the id's UTF-8 bytes, seeded with {@code 0x4B69706900000000 + hour since 1970}; u is its
 * upper 53 bits over 2^53. The hash is independent of the sampling hash (seed 0), since otherwise admission would bias
 * the measured sample.
 */
public final class HashAdmission {
    /**
     * Base of the salt, to which the hour is added: "Kipi" in ASCII in its upper half. So the salt is never 0, which is
     * the seed of the sampling hash.
     */
    private static final long SALT = 0x4B69_7069_0000_0000L;

    private static final long HOUR_MILLIS = 3_600_000;
    private static final double UNIT = 0x1p-53;

    private HashAdmission() {}

    /**
     * Whether a query is admitted in the hour of {@code epochMillis}.
     *
     * @param id query id, or user id for consistency over a user's queries
     * @param fraction 0 or less admits none, 1 or more all, NaN none
     */
    public static boolean admits(String id, double fraction, long epochMillis) {
        if (fraction >= 1) {
            return true;
        }
        return (hash(id, epochMillis) >>> 11) * UNIT < fraction;
    }

    static long hash(String id, long epochMillis) {
        long salt = SALT + Math.floorDiv(epochMillis, HOUR_MILLIS);
        return XxHash64.hash(id, salt);
    }
}
