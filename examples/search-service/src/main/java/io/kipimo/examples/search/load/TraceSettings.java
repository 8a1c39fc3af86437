package io.kipimo.examples.search.load;

import io.kipimo.examples.search.workload.QueryMix;
import java.time.Duration;

/**
 * Parameters of a trace.
 *
 * @param highPerSecond constant mean rate of the high class, queries per second
 * @param lowPeakPerSecond mean rate of the low class in the middle of the run, queries per second; it is 0 at the start
 *     and the end
 * @param seed of the random numbers; equal seeds give equal traces
 */
public record TraceSettings(Duration duration, double highPerSecond, double lowPeakPerSecond, QueryMix mix, long seed) {

    /** Share of the capacity that the high class uses, unless another one is given. */
    public static final double HIGH_SHARE = 0.15;

    public TraceSettings {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException("duration " + duration + "; allowed: above 0");
        }
        if (!(highPerSecond >= 0 && lowPeakPerSecond >= 0)) {
            throw new IllegalArgumentException(
                    "rates " + highPerSecond + " and " + lowPeakPerSecond + " per second; allowed: 0 or more");
        }
    }

    /**
     * A scaled-down day: the high class at 15 % of the capacity, the low class up to a total of
     * {@code peakUtilisation}.
     *
     * @param capacityPerSecond capacity of the service, queries per second
     * @param peakUtilisation of both classes in the middle of the run; above 1 is overload; at least 0.15
     */
    public static TraceSettings day(
            Duration duration, double capacityPerSecond, double peakUtilisation, QueryMix mix, long seed) {
        return day(duration, capacityPerSecond, HIGH_SHARE, peakUtilisation, mix, seed);
    }

    /**
     * A scaled-down day like {@link #day(Duration, double, double, QueryMix, long)}, with another share of the capacity
     * for the high class.
     *
     * @param highShare 0..1, at most {@code peakUtilisation}
     */
    public static TraceSettings day(
            Duration duration,
            double capacityPerSecond,
            double highShare,
            double peakUtilisation,
            QueryMix mix,
            long seed) {
        return new TraceSettings(
                duration, highShare * capacityPerSecond, (peakUtilisation - highShare) * capacityPerSecond, mix, seed);
    }
}
