package io.kipimo.core.tails;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.schemas.tails.Demand;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

class BaselineEstimatorPropertyTest {
    private static final double MEAN_MICROS = 20_000;

    enum Demands {
        EXPONENTIAL,
        /** Index 2.2: a coefficient of variation of 1.5, infinite skewness. */
        PARETO,
        /** Coefficient of variation 3.8. */
        LOGNORMAL;

        DoubleSupplier micros(SplittableRandom random) {
            return switch (this) {
                case EXPONENTIAL -> () -> MEAN_MICROS * random.nextExponential();
                case PARETO -> () -> MEAN_MICROS * 1.2 / 2.2 * Math.pow(1 - random.nextDouble(), -1 / 2.2);
                case LOGNORMAL -> () -> MEAN_MICROS * Math.exp(1.65 * random.nextGaussian() - 1.65 * 1.65 / 2);
            };
        }
    }

    /** The requests' own mean, which an estimator inside the CPU would measure. */
    @Property(tries = 300, seed = "51")
    void isWithin5PercentOfTheTrueMeanDemandOfTheRequestsSeen(
            @ForAll Demands demands,
            @ForAll @IntRange(min = 1, max = 8) int cores,
            @ForAll @DoubleRange(min = 0.1, max = 0.9) double utilisation,
            @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ProcessorSharing.Trace trace =
                ProcessorSharing.run(cores, utilisation, MEAN_MICROS, demands.micros(random), 500, random);

        Demand estimate = BaselineEstimator.ofStays(trace.stays(), cores);

        assertThat(estimate.requests()).isEqualTo(500);
        assertThat(estimate.meanMicros())
                .as("%s, %s cores, utilisation %s", demands, cores, utilisation)
                .isCloseTo(trace.meanDemandMicros(), within(0.05 * trace.meanDemandMicros()));
    }

    /** Comparison with the distribution's mean, which has sampling error, so with more requests. */
    @Property(tries = 40, seed = "52")
    void isWithin5PercentOfTheDistributionsMeanFromManyRequests(
            @ForAll @IntRange(min = 0, max = 1) int kind,
            @ForAll @IntRange(min = 1, max = 8) int cores,
            @ForAll @DoubleRange(min = 0.1, max = 0.9) double utilisation,
            @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Demands demands = Demands.values()[kind];
        ProcessorSharing.Trace trace =
                ProcessorSharing.run(cores, utilisation, MEAN_MICROS, demands.micros(random), 30_000, random);

        assertThat(BaselineEstimator.ofStays(trace.stays(), cores).meanMicros())
                .as("%s, %s cores, utilisation %s", demands, cores, utilisation)
                .isCloseTo(MEAN_MICROS, within(0.05 * MEAN_MICROS));
    }

    /** The figure that servers report instead of events: busy core time over completions. */
    @Property(tries = 100, seed = "53")
    void equalsBusyCoreTimeOverCompletions(
            @ForAll Demands demands, @ForAll @IntRange(min = 1, max = 8) int cores, @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ProcessorSharing.Trace trace =
                ProcessorSharing.run(cores, 0.7, MEAN_MICROS, demands.micros(random), 300, random);

        assertThat(BaselineEstimator.ofStays(trace.stays(), cores).meanMicros())
                .isCloseTo(busyCoreMicros(trace, cores) / 300, within(1e-3));
    }

    private static double busyCoreMicros(ProcessorSharing.Trace trace, int cores) {
        long[] times = trace.stays().stream()
                .flatMap(s -> java.util.stream.Stream.of(s.arrivalMicros(), s.departureMicros()))
                .mapToLong(Long::longValue)
                .sorted()
                .toArray();
        double busy = 0;
        for (int i = 1; i < times.length; i++) {
            double middle = (times[i - 1] + times[i]) / 2.0;
            long inService = trace.stays().stream()
                    .filter(s -> s.arrivalMicros() < middle && s.departureMicros() > middle)
                    .count();
            busy += (times[i] - times[i - 1]) * Math.min((double) cores, (double) inService);
        }
        return busy;
    }
}
