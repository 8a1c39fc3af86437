package io.kipimo.simulator.service;

import io.kipimo.schemas.quality.Outcome;
import io.kipimo.simulator.engine.RandomStream;
import java.util.HexFormat;

/** One query; all that is random in it comes from its seed. */
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

    /** In the form of a W3C trace id. */
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

    /** The chance that is this query's own. */
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

    /** Whether its late results are kept alive, since it is measured. */
    public boolean keepsLateWork() {
        return keepsLateWork;
    }

    /** Partitions that it asked. */
    public int partitions() {
        return root.requests.length;
    }

    /** What became of a partition, as the front end saw it when it answered. */
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
