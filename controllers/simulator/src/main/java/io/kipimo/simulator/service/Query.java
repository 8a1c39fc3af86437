package io.kipimo.simulator.service;

import io.kipimo.schemas.quality.Outcome;
import io.kipimo.simulator.engine.RandomStream;
import java.util.HexFormat;

/** One query; all its random numbers come from its seed. */
public final class Query {
    private final int classIndex;
    private final long seed;
    private final int kind;
    private final long startedNanos;
    private String id;
    private long answeredNanos;
    private boolean keepsLateWork;
    Call root;

    Query(int classIndex, long seed, int kind, long startedNanos) {
        this.classIndex = classIndex;
        this.seed = seed;
        this.kind = kind;
        this.startedNanos = startedNanos;
    }

    /** Id in the form of a W3C trace id. */
    public String id() {
        if (id == null) {
            HexFormat hex = HexFormat.of();
            id = hex.toHexDigits(seed) + hex.toHexDigits(RandomStream.mix(seed, "id"));
        }
        return id;
    }

    /** Index among the service's classes. */
    public int classIndex() {
        return classIndex;
    }

    /** Index among the service's kinds. */
    public int kind() {
        return kind;
    }

    /** Seed of this query's random numbers. */
    public long seed() {
        return seed;
    }

    public long startedNanos() {
        return startedNanos;
    }

    /** When the answer left. */
    public long answeredNanos() {
        return answeredNanos;
    }

    /** Whether late results are kept, because the query is measured. */
    public boolean keepsLateWork() {
        return keepsLateWork;
    }

    /** Number of partitions asked. */
    public int partitions() {
        return root.requests.length;
    }

    /** Outcome of a partition, as the front end saw it when it answered. */
    public Outcome outcome(int partition) {
        Request request = root.requests[partition];
        if (request.isAnswered() && request.answeredNanos <= answeredNanos) {
            return Outcome.IN_TIME;
        }
        return request.failed && !request.abandoned ? Outcome.FAILED : Outcome.TIMED_OUT;
    }

    /** From the start to the partition's result, or to the answer without it, nanoseconds. */
    public long latencyNanos(int partition) {
        Request request = root.requests[partition];
        return (request.isAnswered() ? request.answeredNanos : answeredNanos) - startedNanos;
    }

    /** Whether some partition is missing from the answer. */
    public boolean isDegraded() {
        for (int partition = 0; partition < partitions(); partition++) {
            if (outcome(partition) != Outcome.IN_TIME) {
                return true;
            }
        }
        return false;
    }

    void answeredAt(long nanos) {
        answeredNanos = nanos;
    }

    void keepLateWork() {
        keepsLateWork = true;
    }
}
