package io.kipimo.gateway.config;

/**
 * How requests are dispatched.
 *
 * @param tokens C, a server; of TAD
 * @param mostCopies of a request, whatever is decided; 1: never a copy
 * @param hedgeMillis most time that hedges wait for the first response; a lower 95th percentile of
 *     the response times replaces it; 0: copies are sent at once
 * @param cancelLosers whether copies that lost are cancelled
 * @param retries of idempotent requests whose server did not answer, 0..3
 */
public record ArbitrationConfig(
        CopyPolicy policy,
        int tokens,
        int mostCopies,
        long hedgeMillis,
        boolean cancelLosers,
        int retries) {
    public static final ArbitrationConfig DEFAULT =
            new ArbitrationConfig(CopyPolicy.ROUND_ROBIN, 64, 8, 0, false, 1);
}
