package io.kipimo.harness.oracle;

/**
 * Amount and timing of the traffic.
 *
 * @param queries number of queries
 * @param partitions of the topics of answers, partial results and observations
 * @param startMillis start of the first query, epoch milliseconds; the last event time must not be in the future
 * @param stepMillis time between the starts of two queries
 * @param disorderMillis greatest delay by which an event may follow a younger one of its partition
 * @param skewed whether, in the second half of the queries, the clocks of some servers are minutes or a year behind;
 *     their events are late
 * @param hot one query has as many events as all others together, nearly all of them repeated
 * @param endsInSilence after the last event of a query nothing is sent, not even observations
 */
public record TrafficSettings(
        long seed,
        int queries,
        int partitions,
        long startMillis,
        long stepMillis,
        long disorderMillis,
        boolean skewed,
        boolean hot,
        boolean endsInSilence) {
    private static final long STEP_MILLIS = 2;

    /** Longest time after its window for which the job may remember a query. */
    static final long MEMORY_MILLIS = 12_000;

    private static final long DISORDER_MILLIS = 4_000;

    /** Time from the start of the last query to the end of all events. */
    private static final long TAIL_MILLIS = 120_000;

    /** 500 queries a second, disorder of 4 s, right clocks, no hot query, and observations to the end. */
    public TrafficSettings(long seed, int queries, int partitions, long startMillis) {
        this(seed, queries, partitions, startMillis, STEP_MILLIS, DISORDER_MILLIS, false, false, false);
    }

    /** These defaults, with all events before {@code nowMillis}. */
    public static TrafficSettings before(long nowMillis, long seed, int queries, int partitions) {
        return new TrafficSettings(seed, queries, partitions, nowMillis - STEP_MILLIS * queries - TAIL_MILLIS);
    }

    /** Spread over a longer time before the same end. */
    public TrafficSettings lasting(long millis) {
        long step = millis / queries;
        return new TrafficSettings(
                seed,
                queries,
                partitions,
                startMillis - queries * (step - stepMillis),
                step,
                disorderMillis,
                skewed,
                hot,
                endsInSilence);
    }

    /** With more disorder, and with wrong clocks. */
    public TrafficSettings dirty(long disorderMillis) {
        return new TrafficSettings(
                seed,
                queries,
                partitions,
                startMillis - disorderMillis,
                stepMillis,
                disorderMillis,
                true,
                hot,
                endsInSilence);
    }

    /** With another number of partitions. */
    public TrafficSettings withPartitions(int count) {
        return new TrafficSettings(
                seed, queries, count, startMillis, stepMillis, disorderMillis, skewed, hot, endsInSilence);
    }

    /** With a hot query in the middle. */
    public TrafficSettings withHotQuery() {
        return new TrafficSettings(
                seed, queries, partitions, startMillis, stepMillis, disorderMillis, skewed, true, endsInSilence);
    }

    /** With a silent end: no event moves the watermark past the last queries. */
    public TrafficSettings endingInSilence() {
        return new TrafficSettings(
                seed, queries, partitions, startMillis, stepMillis, disorderMillis, skewed, hot, true);
    }

    /** Out-of-orderness to configure in the job; greater than the disorder. */
    public long outOfOrdernessMillis() {
        return disorderMillis + 1_000;
    }
}
