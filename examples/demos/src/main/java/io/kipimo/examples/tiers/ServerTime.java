package io.kipimo.examples.tiers;

import java.util.Random;

/** What a copy costs a server; asked by one thread. */
@FunctionalInterface
public interface ServerTime {
    /**
     * Milliseconds in service of a copy that begins now.
     *
     * @param server index, from 0
     * @param nowMillis never goes back
     */
    long millis(int server, long nowMillis);

    /** Always the same. */
    static ServerTime constant(long millis) {
        return (server, now) -> millis;
    }

    /**
     * Usually the same, and now and then far more. Which copies are hit does not depend on each
     * other, so another copy helps.
     *
     * @param slowShare of copies that take long, 0..1
     */
    static ServerTime mostly(long usualMillis, double slowShare, long slowMillis, long seed) {
        Random random = new Random(seed);
        return (server, now) -> random.nextDouble() < slowShare ? slowMillis : usualMillis;
    }
}
