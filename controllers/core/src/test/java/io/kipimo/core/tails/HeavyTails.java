package io.kipimo.core.tails;

import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;

/** Latency distributions, microseconds, whose tails are like those of real services or worse. */
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
    /** Index 1.2: no variance. */
    PARETO {
        @Override
        public DoubleSupplier micros(RandomGenerator random) {
            return () -> 1_000 * Math.pow(1 - random.nextDouble(), -1 / 1.2);
        }
    },
    /** Fast, but for one in 50 that takes 100 times as long. */
    BIMODAL {
        @Override
        public DoubleSupplier micros(RandomGenerator random) {
            return () ->
                    (random.nextInt(50) == 0 ? 500_000 : 5_000) * (1 + 0.1 * random.nextDouble());
        }
    };

    public abstract DoubleSupplier micros(RandomGenerator random);
}
