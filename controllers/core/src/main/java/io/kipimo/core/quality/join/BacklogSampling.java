package io.kipimo.core.quality.join;

import io.kipimo.core.sampling.ConsistentSampling;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides which queries of one partition are measured while the job is behind. {@link ConsistentSampling} samples them
 * at a rate of 1 / weight, where the weight is a function of the time at which the query started. So all events of a
 * query see the same rate, in whatever order they are read, and a measured query stands for as many as its weight says
 * (Horvitz and Thompson, 1952).
 *
 * <p>The weight changes only for queries that start after everything that was read so far. The job chooses it when it
 * stores its state, and at the first event after a start. So a job that reads a part of the log again repeats its
 * choices.
 *
 * <p>Mutable, for one thread. It reads no clock: the caller says how far behind the job is.
 */
public final class BacklogSampling {
    /**
     * Twice the greatest difference that the join assumes between the starts in the events of one query. The second
     * half is for writers whose clocks are ahead.
     */
    static final long LEAD_MILLIS = 2 * JoinEngine.TOMBSTONE_SLACK_MILLIS;

    /** Number of weight changes that are remembered; each lasts {@link #LEAD_MILLIS} of event time or longer. */
    static final int MOST_CHANGES = 64;

    private static final long UNKNOWN = -1;
    private static final long ALWAYS = Long.MIN_VALUE;

    /**
     * The lags at which sampling begins and ends, and the greatest weight.
     *
     * @param mostWeight greatest number of queries for which a measured one stands, at least 1; 1: all are measured
     * @param beginMillis how far behind the job is, by append time, when sampling begins
     * @param endMillis how far behind the job is when sampling ends, less than {@code beginMillis}
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
         * The next weight: 2 when sampling begins, 3 when the job is twice as far behind, and so on. It falls only when
         * the job has caught up.
         *
         * @param weight the weight so far
         * @param behindMillis age of the newest event, since it was appended, when it was read
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
     * The stored state of a partition's sampling.
     *
     * @param reachedMillis event time that the partition had reached at the last choice, epoch milliseconds
     * @param progressMillis by how much its event time may move until the next choice, if it becomes no faster
     * @param changes ascending; the first also holds for all earlier queries
     */
    public record BacklogState(long reachedMillis, long progressMillis, List<WeightChange> changes) {
        public BacklogState {
            changes = List.copyOf(changes);
        }

        /** The state of a partition all of whose queries were measured. */
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

    /** {@link #behindMillis} at the last choice. */
    private long formerBehindMillis = UNKNOWN;

    /** Whether something was read since the start of the job. */
    private boolean started;

    /** Begins the sampling of a partition that was never read. */
    public BacklogSampling(BacklogSettings settings) {
        this.settings = settings;
    }

    /** Continues from a stored state, which may have chosen queries that are still open. */
    public void restore(BacklogState state) {
        reachedMillis = state.reachedMillis();
        progressMillis = state.progressMillis();
        changes.clear();
        changes.addAll(state.changes());
    }

    /**
     * Notes that an event of this partition was read.
     *
     * @param millis how long ago the event was appended
     */
    public void see(long millis) {
        behindMillis = Math.max(0, millis);
        if (!started) {
            started = true;
            choose();
        }
    }

    /**
     * Notes that an event of a query of this partition was read from another partition. How far that partition is
     * behind counts until this one has an event of its own. Otherwise such queries would all be measured.
     *
     * @param millis how long ago the event was appended
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
     * By how much event time will likely move until the next choice: as much as since the last choice, but not beyond
     * the end of the growing log. Event time moves faster than the clock only while the job catches up.
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
     * Whether a query is not measured, whatever weight holds for its start. The start is only known as an interval.
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
