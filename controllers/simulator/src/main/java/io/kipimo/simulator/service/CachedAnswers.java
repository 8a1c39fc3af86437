package io.kipimo.simulator.service;

import io.kipimo.simulator.engine.RandomStream;
import io.kipimo.simulator.engine.Times;
import java.util.Arrays;

/** Answers in a tier's cache, by partition and key. */
final class CachedAnswers {
    private final long ttlNanos;
    private final double[] cumulative;
    private final long[] expiry;
    private final RandomStream random = new RandomStream(0);

    CachedAnswers(AnswerCache spec, int partitions) {
        this.ttlNanos = Times.nanos(spec.ttlSeconds());
        this.cumulative = new double[spec.keys()];
        double sum = 0;
        for (int key = 0; key < cumulative.length; key++) {
            sum += StrictMath.pow(key + 1, -spec.popularity());
            cumulative[key] = sum;
        }
        this.expiry = new long[Math.multiplyExact(partitions, spec.keys())];
    }

    /** Draws the key of a request, by Zipf's law. */
    int key(long seed) {
        double at = random.reset(RandomStream.mix(seed, "key")).nextDouble() * cumulative[cumulative.length - 1];
        int found = Arrays.binarySearch(cumulative, at);
        return Math.min(cumulative.length - 1, found < 0 ? -found - 1 : found + 1);
    }

    boolean has(int partition, int key, long nowNanos) {
        return expiry[partition * cumulative.length + key] > nowNanos;
    }

    void put(int partition, int key, long nowNanos) {
        expiry[partition * cumulative.length + key] = nowNanos + ttlNanos;
    }
}
