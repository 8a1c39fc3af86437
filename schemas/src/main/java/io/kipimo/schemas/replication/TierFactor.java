package io.kipimo.schemas.replication;

/**
 * Copies of each request that a tier's arbiters send to different servers.
 *
 * @param factor to apply, at least 1
 * @param previous in force before
 * @param fallback proven: to go back to when the decision's time is over; the same as {@code
 *     factor}, but in a trial
 * @param refusedByModel whether the model ruled out a copy more, or less
 * @param unevenCosts whether requests differ so widely in cost that copies mostly repeat the
 *     dearest
 */
public record TierFactor(
        String tier,
        int factor,
        int previous,
        int fallback,
        boolean refusedByModel,
        boolean unevenCosts) {
    /** No tier has as many servers. */
    public static final int MOST = 10_000;
}
