package io.kipimo.gateway.config;

/**
 * How requests are dealt out.
 *
 * @param tokens C, a server; of TAD
 * @param mostCopies of a request, whatever is decided; 1: never a copy
 * @param hedgeMillis copies are sent when the first response has taken this long, or as long as
 *     nearly all take, if that is less; 0: at once
 * @param cancelLosers whether copies that lost are broken off
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
