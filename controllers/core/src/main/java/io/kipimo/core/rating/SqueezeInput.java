package io.kipimo.core.rating;

import io.kipimo.schemas.rating.ExperimentCounts;

/**
 * Input since the last step.
 *
 * @param isNew whether it includes a report of the squeezed server
 * @param target counts of the squeezed server
 * @param rest counts of all other servers
 * @param drowning whether the server has more open requests than it can answer within the bound. The agreement is then
 *     broken, although no late answer has been counted yet
 * @param restIsUp whether all other servers are in service
 */
public record SqueezeInput(
        boolean isNew, ExperimentCounts target, ExperimentCounts rest, boolean drowning, boolean restIsUp) {
    /** No input. */
    public static final SqueezeInput NOTHING =
            new SqueezeInput(false, ExperimentCounts.NONE, ExperimentCounts.NONE, false, true);

    /**
     * Whether the server has too many open requests to answer them within the bound. By Little's law they take
     * {@code open / arrivalsPerSecond} on average.
     *
     * @param open requests open now
     * @param arrivalsPerSecond recent rate of arrivals
     * @param boundMicros latency bound of the agreement, microseconds
     */
    public static boolean drowns(long open, double arrivalsPerSecond, long boundMicros) {
        return open > FEW + TWICE * arrivalsPerSecond * boundMicros / 1e6;
    }

    private static final long FEW = 16;
    private static final double TWICE = 2;
}
