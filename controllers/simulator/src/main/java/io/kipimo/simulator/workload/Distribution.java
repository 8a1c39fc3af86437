package io.kipimo.simulator.workload;

import io.kipimo.simulator.engine.RandomStream;

/** A distribution of times, seconds. */
public sealed interface Distribution
        permits Distribution.Constant,
                Distribution.Exponential,
                Distribution.LogNormal,
                Distribution.Pareto,
                Distribution.Empirical {

    /** Draws a value. */
    double sample(RandomStream random);

    double mean();

    /** A constant. */
    record Constant(double mean) implements Distribution {
        public Constant {
            ModelChecks.atLeast("mean", mean, 0);
        }

        @Override
        public double sample(RandomStream random) {
            return mean;
        }
    }

    /** Exponential: without memory. */
    record Exponential(double mean) implements Distribution {
        public Exponential {
            ModelChecks.atLeast("mean", mean, 0);
        }

        @Override
        public double sample(RandomStream random) {
            return mean * random.nextExponential();
        }
    }

    /**
     * The exponential of a normal variable.
     *
     * @param variation standard deviation / mean
     */
    record LogNormal(double mean, double variation) implements Distribution {
        public LogNormal {
            ModelChecks.above("mean", mean, 0);
            ModelChecks.atLeast("variation", variation, 0);
        }

        @Override
        public double sample(RandomStream random) {
            double logVariance = StrictMath.log1p(variation * variation);
            return mean * StrictMath.exp(StrictMath.sqrt(logVariance) * normal(random) - logVariance / 2);
        }

        /** Draws a normal variable by Marsaglia's polar method; the second variable of a pair is not kept. */
        private static double normal(RandomStream random) {
            while (true) {
                double u = 2 * random.nextDouble() - 1;
                double v = 2 * random.nextDouble() - 1;
                double s = u * u + v * v;
                if (s < 1 && s > 0) {
                    return u * StrictMath.sqrt(-2 * StrictMath.log(s) / s);
                }
            }
        }
    }

    /**
     * Pareto's first kind: P(X > x) = (least / x)^shape.
     *
     * @param shape above 1; the smaller, the heavier the tail
     */
    record Pareto(double mean, double shape) implements Distribution {
        public Pareto {
            ModelChecks.above("mean", mean, 0);
            ModelChecks.above("shape", shape, 1);
        }

        @Override
        public double sample(RandomStream random) {
            double least = mean * (shape - 1) / shape;
            return least * StrictMath.pow(random.nextOpenDouble(), -1 / shape);
        }
    }

    /** Measured times, equally likely. */
    record Empirical(double[] values) implements Distribution {
        /** @throws IllegalArgumentException if there is none or one is negative or not finite */
        public Empirical {
            ModelChecks.atLeast("number of values", values.length, 1);
            for (double value : values) {
                ModelChecks.atLeast("value", value, 0);
            }
        }

        @Override
        public double sample(RandomStream random) {
            return values[(int) (random.nextDouble() * values.length)];
        }

        @Override
        public double mean() {
            double sum = 0;
            for (double value : values) {
                sum += value;
            }
            return sum / values.length;
        }
    }
}
