package io.kipimo.core.quality.join;

import io.kipimo.core.sampling.ConsistentSampling;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * Which queries of one partition are measured while the job is behind: those that {@link ConsistentSampling} samples at
 * a rate of 1 / weight, where the weight is a function of the time at which the query started. So all events of a query
 * see the same rate, in whatever order they are read, and a measured query stands for as many as its weight says
 * (Horvitz and Thompson, 1952).
 *
 * <p>The weight changes only for queries that start after everything that was read so far. It is chosen where the state
 * is stored, and at the first event after a start, so a job that reads a part of the log again repeats its choices.
 *
 * <p>Mutable, for one thread. It reads no clock: the caller says how far behind the job is.
 */
public final class BacklogSampling {
    /**
     * Greatest difference between the starts that the events of a query state, as the join assumes, and as much again
     * for writers whose clocks are ahead.
     */
    static final long LEAD_MILLIS = 2 * JoinEngine.TOMBSTONE_SLACK_MILLIS;

    /** Changes that are remembered; each lasts {@link #LEAD_MILLIS} of event time or longer. */
    static final int MOST_CHANGES = 64;

    private static final long UNKNOWN = -1;
    private static final long ALWAYS = Long.MIN_VALUE;

    /**
     * When to sample, and how much.
     *
     * @param mostWeight greatest number of queries for which a measured one stands, at least 1; 1: all are measured
     * @param beginMillis how far behind, by append time, sampling begins
     * @param endMillis how far behind it ends, less than the beginning
     */
    public record BacklogSettings(int mostWeight, long beginMillis, long endMillis) implements Serializable {
        /** Every query is measured. */
        public static final BacklogSettings OFF = new BacklogSettings(1, 2, 1);

        /**
         * Checks the settings.
         *
         * @throws IllegalArgumentException if the weight is below 1, or the end not below the beginning
         */
        public BacklogSettings {
            if (mostWeight < 1 || endMillis < 0 || endMillis >= beginMillis) {
                throw new IllegalArgumentException("backlog sampling has weight " + mostWeight + ", from " + beginMillis
                        + " ms to " + endMillis + " ms behind; allowed: weight >= 1, 0 <= end < begin");
            }
        }

        public boolean isOn() {
            return mostWeight > 1;
        }

        /**
         * The weight that follows another one: 2 where sampling begins, 3 twice as far behind, and so on. It never
         * falls before the job has caught up.
         *
         * @param weight so far
         * @param behindMillis how long ago the newest event was appended when it was read
         */
        public int next(int weight, long behindMillis) {
            if (behindMillis < endMillis || !isOn()) {
                return 1;
            }
            long wanted = behindMillis < beginMillis ? 1 : behindMillis / beginMillis + 1;
            return (int) Math.min(mostWeight, Math.max(weight, wanted));
        }
    }

    /**
     * Weight of the queries that start from a time on, until the next change.
     *
     * @param fromMillis epoch milliseconds of event time
     */
    public record WeightChange(long fromMillis, int weight) {}

    /**
     * What follows a partition.
     *
     * @param reachedMillis event time that the partition had reached at the last choice, epoch milliseconds
     * @param progressMillis by how much it may move until the next choice, if it becomes no faster
     * @param changes ascending; the first also holds for all earlier queries
     */
    public record BacklogState(long reachedMillis, long progressMillis, List<WeightChange> changes) {
        public BacklogState {
            changes = List.copyOf(changes);
        }

        /** Of a partition all of whose queries were measured. */
        public static BacklogState full(long reachedMillis) {
            return new BacklogState(reachedMillis, 0, List.of(new WeightChange(ALWAYS, 1)));
        }

        /** Whether every query was measured, whenever it started. */
        public boolean isFull() {
            return areFull(changes);
        }
    }

    private final BacklogSettings settings;
    private final List<WeightChange> changes = new ArrayList<>(List.of(new WeightChange(ALWAYS, 1)));
    private long reachedMillis = ALWAYS;
    private long progressMillis;
    private long behindMillis = UNKNOWN;

    /** As it was at the last choice. */
    private long formerBehindMillis = UNKNOWN;

    /** Whether something was read since the start of the job. */
    private boolean started;

    /** Of a partition that was never read. */
    public BacklogSampling(BacklogSettings settings) {
        this.settings = settings;
    }

    /** Continues; queries that were open may have been chosen by this state. */
    public void restore(BacklogState state) {
        reachedMillis = state.reachedMillis();
        progressMillis = state.progressMillis();
        changes.clear();
        changes.addAll(state.changes());
    }

    /**
     * An event is read.
     *
     * @param millis how long ago it was appended
     */
    public void see(long millis) {
        behindMillis = Math.max(0, millis);
        if (!started) {
            started = true;
            choose();
        }
    }

    /**
     * An event of a query of this partition is read from another one. How far that one is behind counts until this
     * partition has an event of its own. Otherwise such queries would all be measured.
     *
     * @param millis how long ago it was appended
     */
    public void seeStray(long millis) {
        if (behindMillis == UNKNOWN && (started || settings.next(weight(), millis) > weight())) {
            see(millis);
        }
    }

    /**
     * Chooses the weight of later queries. The choice holds only for queries that start after the place where the
     * partition will be at the next choice. So it is stored before the job acts on it.
     *
     * @param reached event time that the partition has reached, epoch milliseconds
     */
    public void decide(long reached) {
        boolean knowsProgress = reachedMillis != ALWAYS;
        progressMillis = knowsProgress ? likelyProgress(Math.max(0, reached - reachedMillis)) : 0;
        reachedMillis = Math.max(reachedMillis, reached);
        formerBehindMillis = behindMillis;
        if (knowsProgress && (behindMillis != UNKNOWN || !settings.isOn())) {
            choose();
            // A partition without further events says nothing of the job.
            behindMillis = UNKNOWN;
        }
    }

    /**
     * As much as since the last choice, but no further than to the end of the log as it grows meanwhile. While the job
     * catches up, a partition moves by many times the time that passes, and then no more.
     */
    private long likelyProgress(long millis) {
        if (behindMillis == UNKNOWN || formerBehindMillis == UNKNOWN) {
            return millis;
        }
        long passedMillis = Math.max(0, millis + behindMillis - formerBehindMillis);
        return Math.min(millis, behindMillis / 2 + passedMillis);
    }

    private void choose() {
        long fromMillis = reachedMillis == ALWAYS ? ALWAYS : reachedMillis + LEAD_MILLIS + 2 * progressMillis;
        WeightChange last = changes.get(changes.size() - 1);
        int weight = settings.next(last.weight(), behindMillis);
        if (weight == last.weight()) {
            return;
        }
        if (fromMillis == ALWAYS) {
            changes.clear();
        }
        changes.add(new WeightChange(Math.max(fromMillis, last.fromMillis()), weight));
        if (changes.size() > MOST_CHANGES) {
            changes.remove(0);
        }
    }

    /**
     * Whether none of these queries was ever to be measured, wherever in an interval it started.
     *
     * @param randomness {@link ConsistentSampling#randomness} of the query
     * @param earliestMillis earliest start of the query, epoch milliseconds
     * @param latestMillis latest start of the query, epoch milliseconds
     */
    boolean isOut(long randomness, long earliestMillis, long latestMillis) {
        for (int i = changes.size() - 1; i >= 0; i--) {
            WeightChange change = changes.get(i);
            if (change.fromMillis() <= latestMillis || i == 0) {
                if (isIn(randomness, change.weight())) {
                    return false;
                }
                if (change.fromMillis() <= earliestMillis) {
                    return true;
                }
            }
        }
        return true;
    }

    /** The greatest weight of the queries that start in an interval. */
    int weight(long earliestMillis, long latestMillis) {
        int weight = 1;
        for (int i = changes.size() - 1; i >= 0; i--) {
            WeightChange change = changes.get(i);
            if (change.fromMillis() <= latestMillis || i == 0) {
                weight = Math.max(weight, change.weight());
                if (change.fromMillis() <= earliestMillis) {
                    return weight;
                }
            }
        }
        return weight;
    }

    /** Whether a query is measured at a weight. */
    static boolean isIn(long randomness, int weight) {
        return weight == 1 || randomness >= ConsistentSampling.threshold(1.0 / weight);
    }

    /** Whether every query is measured, whenever it started. */
    boolean isFull() {
        return areFull(changes);
    }

    private static boolean areFull(List<WeightChange> changes) {
        return changes.size() == 1 && changes.get(0).weight() == 1;
    }

    /** Weight of the queries that start last. */
    public int weight() {
        return changes.get(changes.size() - 1).weight();
    }

    public BacklogState state() {
        return new BacklogState(reachedMillis, progressMillis, changes);
    }
}
