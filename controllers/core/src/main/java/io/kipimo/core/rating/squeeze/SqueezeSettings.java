package io.kipimo.core.rating.squeeze;

import io.kipimo.core.rating.ServiceLevelAgreement;
import java.util.Objects;

/**
 * How one server is squeezed.
 *
 * @param agreement that the squeezed server and all others are to keep
 * @param raise by which fraction of itself the share grows from step to step, 0.01..1
 * @param mostShare of the traffic that the server is given at most, more than 0, less than 1: the
 *     others stay in service
 * @param settleMillis after a raise, in which only what surely breaks the agreement counts
 * @param stepMillis that are measured of each step, 1 or more
 * @param earlyStopError probability that a step that is ended early errs, 1e-12..0.1
 * @param patienceMillis after which nobody squeezes who hears nothing, 1 or more
 */
public record SqueezeSettings(
        ServiceLevelAgreement agreement,
        double raise,
        double mostShare,
        long settleMillis,
        long stepMillis,
        double earlyStopError,
        long patienceMillis) {
    public SqueezeSettings {
        Objects.requireNonNull(agreement, "agreement");
        within("raise", raise, 0.01, 1);
        within("mostShare", mostShare, 0.01, 0.99);
        within("settleMillis", (double) settleMillis, 0, 3_600_000);
        within("stepMillis", (double) stepMillis, 1, 3_600_000);
        within("earlyStopError", earlyStopError, 1e-12, 0.1);
        within("patienceMillis", (double) patienceMillis, 1, 3_600_000);
    }

    private static void within(String field, double value, double low, double high) {
        if (!(value >= low && value <= high)) {
            throw new IllegalArgumentException(
                    field + " is " + value + "; allowed: " + low + ".." + high);
        }
    }
}
