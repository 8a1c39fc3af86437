package io.kipimo.core.rating.squeeze;

import io.kipimo.core.rating.ExperimentTally;

/**
 * What was heard since the last step of the loop.
 *
 * @param isNew whether a report of the squeezed server is among it
 * @param target what it counted
 * @param rest what all others counted
 * @param drowning whether the server has more requests open than it can answer within the bound, so
 *     that the agreement is broken though nobody has an answer yet to tell it by
 * @param restIsUp whether all others are in service
 */
public record SqueezeInput(
        boolean isNew,
        ExperimentTally target,
        ExperimentTally rest,
        boolean drowning,
        boolean restIsUp) {
    /** Nothing was. */
    public static final SqueezeInput NOTHING =
            new SqueezeInput(false, ExperimentTally.NONE, ExperimentTally.NONE, false, true);

    /**
     * Whether so many open requests cannot be answered within the bound: by Little's law they take
     * {@code open / arrivalsPerSecond} on average.
     *
     * @param open now
     * @param arrivalsPerSecond lately
     * @param boundMicros of the agreement
     */
    public static boolean drowns(long open, double arrivalsPerSecond, long boundMicros) {
        return open > FEW + TWICE * arrivalsPerSecond * boundMicros / 1e6;
    }

    private static final long FEW = 16;
    private static final double TWICE = 2;
}
