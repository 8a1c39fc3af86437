package io.kipimo.simulator.engine;

import java.util.random.RandomGenerator;

/**
 * A random stream, SplitMix64 (Steele, Lea, Flood, 2014). Each purpose has its own stream, derived from the seed and a
 * name or numbers, so an addition to a model does not change the random numbers of the rest. A stream can be reset
 * without allocation, so every query has its own: a query stays the same, whatever happened to earlier ones.
 *
 * <p>Only {@link StrictMath} turns bits into times: the same seed gives the same bytes on every machine.
 */
public final class RandomStream implements RandomGenerator {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private long state;

    public RandomStream(long seed) {
        this.state = seed;
    }

    /** The stream for a purpose. */
    public static RandomStream of(long seed, String purpose) {
        return new RandomStream(mix(seed, purpose));
    }

    /** Derives the seed of the stream for a purpose. */
    public static long mix(long seed, String purpose) {
        long mixed = seed;
        for (int i = 0; i < purpose.length(); i++) {
            mixed = mix(mixed, purpose.charAt(i));
        }
        return mix(mixed, purpose.length());
    }

    /** Derives the seed of one of several streams from its number. */
    public static long mix(long seed, long number) {
        return finish(finish(seed + GOLDEN) ^ (number * GOLDEN));
    }

    /** Restarts the stream with another seed. */
    public RandomStream reset(long seed) {
        state = seed;
        return this;
    }

    @Override
    public long nextLong() {
        state += GOLDEN;
        return finish(state);
    }

    @Override
    public double nextDouble() {
        return (nextLong() >>> 11) * 0x1p-53;
    }

    /** Returns a random number that is uniform within (0, 1), neither end included. */
    public double nextOpenDouble() {
        return ((nextLong() >>> 12) + 0.5) * 0x1p-52;
    }

    /** Returns an exponential random number with mean 1, by inversion. */
    @Override
    public double nextExponential() {
        return -StrictMath.log(nextOpenDouble());
    }

    private static long finish(long value) {
        long z = value;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
