package io.kipimo.core.rating;

import io.kipimo.schemas.rating.ExperimentCounts;

/**
 * Progress of a squeeze.
 *
 * @param share current share of the traffic, 0..1
 * @param sinceMillis when the server got this share
 * @param lastReportMillis when the last report of the server arrived
 * @param settled whether the counts belong to the measured time
 * @param target counts of the server
 * @param rest counts of all other servers
 */
public record SqueezeState(
        double share,
        long sinceMillis,
        long lastReportMillis,
        boolean settled,
        ExperimentCounts target,
        ExperimentCounts rest) {
    /**
     * State at the beginning.
     *
     * @param share the server's usual share, more than 0, less than 1
     */
    public static SqueezeState start(double share, long nowMillis) {
        if (!(share > 0 && share < 1)) {
            throw new IllegalArgumentException("share is " + share + "; allowed: more than 0, less than 1");
        }
        return at(share, nowMillis, nowMillis);
    }

    static SqueezeState at(double share, long nowMillis, long lastReportMillis) {
        return new SqueezeState(
                share, nowMillis, lastReportMillis, false, ExperimentCounts.NONE, ExperimentCounts.NONE);
    }
}
