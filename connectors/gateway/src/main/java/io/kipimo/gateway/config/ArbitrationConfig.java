package io.kipimo.gateway.config;

import io.kipimo.core.arbitration.CopyBudget;

/**
 * How requests are dispatched.
 *
 * @param tokens C, number of tokens of each server; policy TAD only
 * @param mostCopies greatest number of copies of a request, whatever the decision; 1: never a copy
 * @param hedgeMillis longest wait for the first response before hedges are sent; a lower 95th percentile of the
 *     response times replaces it; 0: copies are sent at once
 * @param hedgeShare most hedges, as a share of the requests, 0 or more
 * @param cancelLosers whether copies that lost are cancelled
 * @param compareMillis wait before servers whose answers to copies of a sampled query differed are asked again; 0:
 *     answers are not compared
 * @param retries number of retries of idempotent requests whose server did not answer, 0..3
 */
public record ArbitrationConfig(
        CopyPolicy policy,
        int tokens,
        int mostCopies,
        long hedgeMillis,
        double hedgeShare,
        boolean cancelLosers,
        long compareMillis,
        int retries) {
    public static final ArbitrationConfig DEFAULT =
            new ArbitrationConfig(CopyPolicy.ROUND_ROBIN, 64, 8, 0, CopyBudget.DEFAULT_SHARE, false, 0, 1);
}
