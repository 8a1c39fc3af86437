package io.kipimo.harness.load;

import io.kipimo.harness.search.workload.QueryMix;
import io.kipimo.harness.search.workload.QueryWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the service's capacity with all that runs beside it: warms up, then raises the rate step by
 * step until two steps in a row have too many degraded answers. It asks the port that measures and
 * sheds nothing.
 *
 * @param degradedLimit share of degraded answers that still counts as keeping up, above the share
 *     without load, 0..1
 * @param startPerSecond first rate, queries per second
 * @param growth from one rate to the next, above 1
 * @param step how long each rate lasts
 * @param warmUp at the first rate, before
 */
public record Calibration(
        double degradedLimit,
        double startPerSecond,
        double growth,
        Duration step,
        Duration warmUp) {
    private static final double HIGHEST_PER_SECOND = 20_000;

    /** 5 % degraded; from 40 per second by steps of a quarter. */
    public static final Calibration QUICK =
            new Calibration(0.05, 40, 1.25, Duration.ofMillis(1_500), Duration.ofSeconds(4));

    /**
     * Takes some 20 seconds.
     *
     * @param calibrationPort of the running service
     * @param mix what is asked; the middle of the mix that the runs will have
     * @throws IllegalStateException if the service does not even keep up with the first rates
     */
    public Capacity find(
            LoadGenerator generator,
            int calibrationPort,
            QueryWriter writer,
            QueryMix mix,
            long seed)
            throws InterruptedException {
        LoadTarget target = new LoadTarget(calibrationPort, calibrationPort);
        generator.run(
                target,
                Trace.of(TraceSettings.flat(warmUp, 2 * startPerSecond, mix, seed), writer),
                seed);
        List<Capacity.Step> steps = new ArrayList<>();
        double unloaded = 1;
        int tooMany = 0;
        for (double rate = startPerSecond;
                tooMany < 2 && rate < HIGHEST_PER_SECOND;
                rate *= growth) {
            long stepSeed = seed + 1 + steps.size();
            Trace trace = Trace.of(TraceSettings.flat(step, rate, mix, stepSeed), writer);
            LoadResult.Tally tally = generator.run(target, trace, stepSeed).high();
            steps.add(
                    new Capacity.Step(
                            rate, tally.degradedShare(), tally.p50Millis(), tally.p99Millis()));
            unloaded = steps.size() <= 2 ? Math.min(unloaded, tally.degradedShare()) : unloaded;
            tooMany = tally.degradedShare() > unloaded + degradedLimit ? tooMany + 1 : 0;
        }
        return Capacity.of(steps, degradedLimit);
    }
}
