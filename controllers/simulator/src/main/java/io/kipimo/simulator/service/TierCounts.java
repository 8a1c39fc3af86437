package io.kipimo.simulator.service;

import java.util.Arrays;

/** Counts of a tier so far. */
public final class TierCounts {
    long calls;
    long timedOutCalls;
    long executions;
    long refused;
    long lookups;
    long hits;
    private double[] latencies = new double[256];
    private int size;

    TierCounts() {}

    void latency(double seconds) {
        if (size == latencies.length) {
            latencies = Arrays.copyOf(latencies, 2 * size);
        }
        latencies[size++] = seconds;
    }

    /** Number of calls to the tier. */
    public long calls() {
        return calls;
    }

    /** Number of calls whose caller went on without some answer. */
    public long timedOutCalls() {
        return timedOutCalls;
    }

    /** Finished executions. */
    public long executions() {
        return executions;
    }

    /** Copies that a full server refused. */
    public long refused() {
        return refused;
    }

    /** Requests that asked the tier's cache. */
    public long lookups() {
        return lookups;
    }

    /** Requests that the tier's cache answered. */
    public long hits() {
        return hits;
    }

    /** Time from call to answer, seconds, of every call, in order of the answers. */
    public double[] latencies() {
        return Arrays.copyOf(latencies, size);
    }
}
