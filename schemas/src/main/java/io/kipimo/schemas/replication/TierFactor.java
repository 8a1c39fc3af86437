package io.kipimo.schemas.replication;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;

/**
 * Number of copies of each request that a tier's arbiters send, each to another server.
 *
 * @param factor factor to apply, at least 1
 * @param previous factor in force before
 * @param fallback proven factor for use after the lease; it differs from {@code factor} only during a trial
 * @param refusedByModel whether the model excluded one more, or one less, copy
 * @param unevenCosts whether requests differ so widely in cost that copies mostly repeat the most expensive ones
 */
public record TierFactor(
        @Name String tier,
        @Range(least = 1, most = TierFactor.MOST) int factor,
        @Range(least = 1, most = TierFactor.MOST) int previous,
        @Range(least = 1, most = TierFactor.MOST) int fallback,
        boolean refusedByModel,
        boolean unevenCosts) {
    /** Upper bound of factors; no tier has as many servers. */
    public static final int MOST = 10_000;
}
