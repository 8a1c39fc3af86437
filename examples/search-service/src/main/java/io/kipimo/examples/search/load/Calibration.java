package io.kipimo.examples.search.load;

import io.kipimo.examples.search.workload.QueryMix;
import io.kipimo.examples.search.workload.QueryWriter;
import java.util.SplittableRandom;

/**
 * Finds the service's capacity with all that runs beside it: keeps it saturated in a closed loop,
 * on the port that waits for every component, until the seconds agree. A JVM that has just started
 * takes some twenty seconds to reach its speed.
 *
 * @param inFlight queries that are open at any time
 * @param warmUpSeconds that never count
 * @param steadySeconds that must agree, and whose mean is the result
 * @param tolerance of the least and the greatest of them, as a share of the mean
 * @param maximumSeconds after which the last ones count, steady or not
 */
public record Calibration(
        int inFlight, int warmUpSeconds, int steadySeconds, double tolerance, int maximumSeconds) {

    /** From 30 to 45 seconds: shorter ones found two thirds of what a warm service does. */
    public static final Calibration THOROUGH = new Calibration(32, 24, 6, 0.1, 45);

    /**
     * Saturates the service.
     *
     * @param calibrationPort of the running service
     * @param mix what is asked; the middle of the mix that the runs will have
     * @throws IllegalStateException if the service answers nothing
     */
    public Capacity find(
            LoadGenerator generator,
            int calibrationPort,
            QueryWriter writer,
            QueryMix mix,
            long seed)
            throws InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        return Capacity.of(
                generator.saturate(
                        calibrationPort,
                        () -> writer.write(mix.at(0.5), random),
                        inFlight,
                        seconds ->
                                seconds.size() >= maximumSeconds
                                        || (seconds.size() >= warmUpSeconds + steadySeconds
                                                && Capacity.of(seconds, steadySeconds, tolerance)
                                                        .steady()),
                        seed),
                steadySeconds,
                tolerance);
    }
}
