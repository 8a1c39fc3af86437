package io.kipimo.core.rating;

import io.kipimo.core.guard.Bounds;
import io.kipimo.schemas.rating.AgreementTerms;
import java.util.Objects;

/**
 * Settings of a squeeze.
 *
 * @param agreement agreement that the squeezed server and all others must keep
 * @param raise growth of the share from step to step, as a fraction of the share, 0.01..1
 * @param mostShare largest share of the traffic for the server, 0.01..0.99, so the others stay in service
 * @param settleMillis time after a raise in which only certain failures count, up to 3,600,000
 * @param stepMillis measured time of each step, 1 or more
 * @param earlyStopError probability that an early end is wrong, 1e-12..0.1
 * @param patienceMillis time without reports after which the squeeze ends, 1 or more
 */
public record SqueezeSettings(
        AgreementTerms agreement,
        double raise,
        double mostShare,
        long settleMillis,
        long stepMillis,
        double earlyStopError,
        long patienceMillis) {
    public SqueezeSettings {
        Objects.requireNonNull(agreement, "agreement");
        Bounds.within("raise", raise, 0.01, 1);
        Bounds.within("mostShare", mostShare, 0.01, 0.99);
        Bounds.within("settleMillis", (double) settleMillis, 0, 3_600_000);
        Bounds.within("stepMillis", (double) stepMillis, 1, 3_600_000);
        Bounds.within("earlyStopError", earlyStopError, 1e-12, 0.1);
        Bounds.within("patienceMillis", (double) patienceMillis, 1, 3_600_000);
    }
}
