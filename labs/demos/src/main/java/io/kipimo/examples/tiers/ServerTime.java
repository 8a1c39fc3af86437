package io.kipimo.examples.tiers;

import java.util.Random;

/** Service time of a copy at a server. Not thread-safe. */
@FunctionalInterface
public interface ServerTime {
    /**
     * Service time of a copy that begins now, milliseconds.
     *
     * @param server index, from 0
     * @param nowMillis current time; never decreases
     */
    long millis(int server, long nowMillis);

    /** A constant service time. */
    static ServerTime constant(long millis) {
        return (server, now) -> millis;
    }

    /**
     * Usually constant, sometimes much longer. Slow copies are independent of each other, so another copy helps.
     *
     * @param slowShare share of slow copies, 0..1
     */
    static ServerTime mostly(long usualMillis, double slowShare, long slowMillis, long seed) {
        Random random = new Random(seed);
        return (server, now) -> random.nextDouble() < slowShare ? slowMillis : usualMillis;
    }
}
