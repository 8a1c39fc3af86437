package io.kipimo.core.rating.squeeze;

import io.kipimo.core.rating.ExperimentTally;

/**
 * How far a squeeze is.
 *
 * @param share of the traffic that the server is given now, 0..1
 * @param sinceMillis it is given that
 * @param heardMillis when a report of the server came last
 * @param settled whether what was counted is of the measured time
 * @param target what the server counted
 * @param rest what all others counted
 */
public record SqueezeState(
        double share,
        long sinceMillis,
        long heardMillis,
        boolean settled,
        ExperimentTally target,
        ExperimentTally rest) {
    /**
     * At the beginning.
     *
     * @param share that the server has anyway, more than 0, less than 1
     */
    public static SqueezeState start(double share, long nowMillis) {
        if (!(share > 0 && share < 1)) {
            throw new IllegalArgumentException(
                    "share is " + share + "; allowed: more than 0, less than 1");
        }
        return at(share, nowMillis, nowMillis);
    }

    static SqueezeState at(double share, long nowMillis, long heardMillis) {
        return new SqueezeState(
                share, nowMillis, heardMillis, false, ExperimentTally.NONE, ExperimentTally.NONE);
    }
}
