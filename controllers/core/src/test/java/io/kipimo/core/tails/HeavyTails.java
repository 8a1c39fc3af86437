package io.kipimo.core.tails;

import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;

/** Latency distributions, microseconds, whose tails are at least as heavy as those of real services. */
public enum HeavyTails {
    EXPONENTIAL {
        @Override
        public DoubleSupplier micros(RandomGenerator random) {
            return () -> 20_000 * random.nextExponential();
        }
    },
    LOGNORMAL {
        @Override
        public DoubleSupplier micros(RandomGenerator random) {
            return () -> 20_000 * Math.exp(1.5 * random.nextGaussian());
        }
    },
    /** Tail index 1.2: infinite variance. */
    PARETO {
        @Override
        public DoubleSupplier micros(RandomGenerator random) {
            return () -> 1_000 * Math.pow(1 - random.nextDouble(), -1 / 1.2);
        }
    },
    /** Fast, but one in 50 takes 100 times as long. */
    BIMODAL {
        @Override
        public DoubleSupplier micros(RandomGenerator random) {
            return () -> (random.nextInt(50) == 0 ? 500_000 : 5_000) * (1 + 0.1 * random.nextDouble());
        }
    };

    public abstract DoubleSupplier micros(RandomGenerator random);
}
