package io.kipimo.examples.search.load;

import io.kipimo.examples.search.workload.QueryMix;
import io.kipimo.examples.search.workload.QueryWriter;
import java.util.SplittableRandom;

/**
 * Finds the capacity that the service has beside everything else on the machine. It saturates the service in a closed
 * loop, on the port that waits for every component, until the throughput of successive seconds agrees. A new JVM takes
 * about twenty seconds to warm up.
 *
 * @param inFlight queries in progress at any time
 * @param warmUpSeconds seconds that are never counted
 * @param steadySeconds seconds that must agree; their mean is the result
 * @param tolerance greatest difference of a steady second from the mean, as a share of the mean
 * @param maximumSeconds longest duration; then the last seconds count, even if they are not steady
 */
public record Calibration(int inFlight, int warmUpSeconds, int steadySeconds, double tolerance, int maximumSeconds) {

    /** A calibration of 30 to 45 seconds. Shorter ones found only two thirds of a warm service's capacity. */
    public static final Calibration THOROUGH = new Calibration(32, 24, 6, 0.1, 45);

    /**
     * Saturates the service and returns its capacity.
     *
     * @param calibrationPort calibration port of the running service
     * @param mix mix of the runs, of which the middle phase is used
     * @throws IllegalStateException if the service answers nothing
     */
    public Capacity find(LoadGenerator generator, int calibrationPort, QueryWriter writer, QueryMix mix, long seed)
            throws InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        return Capacity.of(
                generator.saturate(
                        calibrationPort,
                        () -> writer.write(mix.at(0.5), random),
                        inFlight,
                        seconds -> seconds.size() >= maximumSeconds
                                || (seconds.size() >= warmUpSeconds + steadySeconds
                                        && Capacity.of(seconds, steadySeconds, tolerance)
                                                .steady()),
                        seed),
                steadySeconds,
                tolerance);
    }
}
