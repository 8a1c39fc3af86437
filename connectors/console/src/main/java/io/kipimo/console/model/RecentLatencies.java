package io.kipimo.console.model;

import java.util.Arrays;
import java.util.Optional;

/** The newest {@value #CAPACITY} latencies of one component, each with the second of its measurement. */
final class RecentLatencies {
    static final int CAPACITY = 512;

    private static final int FIRST_CAPACITY = 16;

    /** Percentiles of latencies in milliseconds, by nearest rank. */
    record Quantiles(double p50, double p95, double p99) {}

    private float[] millis = new float[FIRST_CAPACITY];
    private int[] seconds = new int[FIRST_CAPACITY];
    private int next;
    private int size;

    void add(double latencyMillis, long measuredAtMillis) {
        if (size == millis.length && size < CAPACITY) {
            next = size;
            millis = Arrays.copyOf(millis, 2 * size);
            seconds = Arrays.copyOf(seconds, 2 * size);
        }
        millis[next] = (float) latencyMillis;
        seconds[next] = (int) (measuredAtMillis / 1000);
        next = (next + 1) % millis.length;
        size = Math.min(size + 1, millis.length);
    }

    /** Percentiles of the latencies since a time; empty if there are none. */
    Optional<Quantiles> quantiles(long sinceMillis) {
        int since = (int) (sinceMillis / 1000);
        float[] recent = new float[size];
        int count = 0;
        for (int i = 0; i < size; i++) {
            if (seconds[i] >= since) {
                recent[count++] = millis[i];
            }
        }
        if (count == 0) {
            return Optional.empty();
        }
        Arrays.sort(recent, 0, count);
        return Optional.of(
                new Quantiles(rank(recent, count, 0.5), rank(recent, count, 0.95), rank(recent, count, 0.99)));
    }

    private static double rank(float[] ascending, int count, double quantile) {
        return ascending[Math.max(0, (int) Math.ceil(quantile * count) - 1)];
    }
}
