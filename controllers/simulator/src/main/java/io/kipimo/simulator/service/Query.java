package io.kipimo.simulator.service;

import io.kipimo.schemas.quality.Outcome;
import io.kipimo.simulator.engine.RandomStream;
import java.util.HexFormat;

/** One query; all its random numbers come from its seed. */
public final class Query {
    private final int classIndex;
    private final long seed;
    private final int kind;
    private final int topic;
    private final long startedNanos;
    private String id;
    private long answeredNanos;
    private boolean keepsLateWork;

    /** Partitions that are asked; null: all. */
    private boolean[] asked;

    private double expectedLoss;

    Call root;

    Query(int classIndex, long seed, int kind, int topic, long startedNanos) {
        this.classIndex = classIndex;
        this.seed = seed;
        this.kind = kind;
        this.topic = topic;
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

    /** Index of the query's topic; -1: the service's queries have no topics. */
    public int topic() {
        return topic;
    }

    /** Seed of this query's random numbers. */
    public long seed() {
        return seed;
    }

    public long startedNanos() {
        return startedNanos;
    }

    /** Time at which the answer left, nanoseconds since the start of the simulation. */
    public long answeredNanos() {
        return answeredNanos;
    }

    /** Whether late results are kept, because the query is measured. */
    public boolean keepsLateWork() {
        return keepsLateWork;
    }

    /** Number of partitions of the first tier, asked or not. */
    public int partitions() {
        return root.requests.length;
    }

    /**
     * Asks some partitions only; called before the query is sent.
     *
     * @param loss share of the full answer that is expected to be lost by that, 0..1
     */
    public void ask(boolean[] some, double loss) {
        asked = some.clone();
        expectedLoss = loss;
    }

    /** Share of the full answer that the front end expected to lose by components that were not asked. */
    public double expectedLoss() {
        return expectedLoss;
    }

    /** Whether a partition is asked. */
    public boolean isAsked(int partition) {
        return asked == null || asked[partition];
    }

    /** Whether some partition is not asked. */
    public boolean isTrimmed() {
        return asked != null;
    }

    /** Share of the partitions that is asked, 0..1. */
    public double askedShare() {
        int count = 0;
        for (int partition = 0; partition < partitions(); partition++) {
            count += isAsked(partition) ? 1 : 0;
        }
        return (double) count / partitions();
    }

    /** Outcome of a partition, as the front end saw it when it answered. */
    public Outcome outcome(int partition) {
        if (!isAsked(partition)) {
            return Outcome.NOT_ASKED;
        }
        Request request = root.requests[partition];
        if (request.isAnswered() && request.answeredNanos <= answeredNanos) {
            return Outcome.IN_TIME;
        }
        return request.failed && !request.abandoned ? Outcome.FAILED : Outcome.TIMED_OUT;
    }

    /**
     * Time from the start to the partition's result, or to the answer without it, nanoseconds; 0 if the partition was
     * not asked.
     */
    public long latencyNanos(int partition) {
        if (!isAsked(partition)) {
            return 0;
        }
        Request request = root.requests[partition];
        return (request.isAnswered() ? request.answeredNanos : answeredNanos) - startedNanos;
    }

    /** Whether some partition that was asked is missing from the answer. */
    public boolean isDegraded() {
        for (int partition = 0; partition < partitions(); partition++) {
            if (outcome(partition).isLate()) {
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
