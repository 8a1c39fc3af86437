package io.kipimo.simulator.workload;

/** Arrivals a second over time. */
public sealed interface RateCurve permits RateCurve.ConstantRate, RateCurve.Diurnal, RateCurve.Points {

    /**
     * The rate at a time.
     *
     * @param seconds since the start
     */
    double at(double seconds);

    /** Upper bound of the rate at any time. */
    double maximum();

    /** A rate that is always the same. */
    record ConstantRate(double rate) implements RateCurve {
        public ConstantRate {
            ModelChecks.atLeast("rate", rate, 0);
        }

        @Override
        public double at(double seconds) {
            return rate;
        }

        @Override
        public double maximum() {
            return rate;
        }
    }

    /**
     * A raised cosine: from trough to peak and back within a period.
     *
     * @param trough least rate
     * @param peak greatest rate
     * @param peakSeconds when the rate is greatest for the first time
     */
    record Diurnal(double trough, double peak, double periodSeconds, double peakSeconds) implements RateCurve {
        public Diurnal {
            ModelChecks.atLeast("trough", trough, 0);
            ModelChecks.atLeast("peak", peak, trough);
            ModelChecks.above("period", periodSeconds, 0);
            ModelChecks.atLeast("time of the peak", peakSeconds, 0);
        }

        @Override
        public double at(double seconds) {
            double phase = 2 * Math.PI * (seconds - peakSeconds) / periodSeconds;
            return trough + (peak - trough) * (1 + StrictMath.cos(phase)) / 2;
        }

        @Override
        public double maximum() {
            return peak;
        }
    }

    /**
     * Straight lines between points; constant before the first and after the last.
     *
     * @param seconds times of the points, ascending, at least one
     * @param rates rate at each point
     */
    record Points(double[] seconds, double[] rates) implements RateCurve {
        public Points {
            if (seconds.length == 0 || seconds.length != rates.length) {
                throw new IllegalArgumentException(
                        "rate has %s times and %s values; allowed: as many of each, at least one"
                                .formatted(seconds.length, rates.length));
            }
            for (int i = 0; i < seconds.length; i++) {
                ModelChecks.atLeast("rate", rates[i], 0);
                ModelChecks.atLeast("time of a rate", seconds[i], i == 0 ? 0 : seconds[i - 1]);
            }
        }

        @Override
        public double at(double time) {
            int next = 0;
            while (next < seconds.length && seconds[next] <= time) {
                next++;
            }
            if (next == 0) {
                return rates[0];
            }
            if (next == seconds.length) {
                return rates[next - 1];
            }
            double part = (time - seconds[next - 1]) / (seconds[next] - seconds[next - 1]);
            return rates[next - 1] + part * (rates[next] - rates[next - 1]);
        }

        @Override
        public double maximum() {
            double most = 0;
            for (double rate : rates) {
                most = Math.max(most, rate);
            }
            return most;
        }
    }
}
