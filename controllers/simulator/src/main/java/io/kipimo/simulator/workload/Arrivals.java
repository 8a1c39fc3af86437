package io.kipimo.simulator.workload;

import io.kipimo.simulator.engine.RandomStream;
import io.kipimo.simulator.engine.Times;
import java.util.Arrays;

/** Arrivals of an open workload: they do not depend on whether the service keeps up. */
public sealed interface Arrivals permits Arrivals.Poisson, Arrivals.Regular, Arrivals.Traced {
    /** Time that stands for no more arrivals. */
    long NEVER = Long.MAX_VALUE;

    /** The next arrival after a time, nanoseconds since the start; {@link #NEVER} if none. */
    long nextAfter(long nanos, RandomStream random);

    /** Independent arrivals at a rate that may change. Candidates arrive at the maximum rate and are thinned. */
    record Poisson(RateCurve rate) implements Arrivals {
        @Override
        public long nextAfter(long nanos, RandomStream random) {
            double most = rate.maximum();
            if (most <= 0) {
                return NEVER;
            }
            double seconds = Times.seconds(nanos);
            do {
                seconds += random.nextExponential() / most;
                if (seconds > 1e9) {
                    return NEVER;
                }
            } while (!(rate instanceof RateCurve.ConstantRate) && random.nextDouble() * most >= rate.at(seconds));
            return Math.max(nanos + 1, Times.nanos(seconds));
        }
    }

    /** Arrivals at regular intervals. */
    record Regular(double ratePerSecond) implements Arrivals {
        public Regular {
            ModelChecks.above("rate", ratePerSecond, 0);
        }

        @Override
        public long nextAfter(long nanos, RandomStream random) {
            long interval = Math.max(1, Times.nanos(1 / ratePerSecond));
            return (nanos / interval + 1) * interval;
        }
    }

    /**
     * Recorded arrivals.
     *
     * @param nanos ascending, nanoseconds since the start; simultaneous arrivals are a nanosecond apart
     */
    record Traced(long[] nanos) implements Arrivals {
        /** From recorded times, seconds, in any order. */
        public static Traced ofSeconds(double[] seconds) {
            long[] nanos = new long[seconds.length];
            for (int i = 0; i < nanos.length; i++) {
                ModelChecks.atLeast("time of an arrival", seconds[i], 0);
                nanos[i] = Times.nanos(seconds[i]);
            }
            Arrays.sort(nanos);
            for (int i = 1; i < nanos.length; i++) {
                nanos[i] = Math.max(nanos[i], nanos[i - 1] + 1);
            }
            return new Traced(nanos);
        }

        @Override
        public long nextAfter(long after, RandomStream random) {
            int index = Arrays.binarySearch(nanos, after + 1);
            int next = index < 0 ? -index - 1 : index;
            return next == nanos.length ? NEVER : nanos[next];
        }
    }
}
