package io.kipimo.harness.oracle;

/**
 * How much traffic, and when.
 *
 * @param queries about 500 start a second of event time
 * @param partitions of the topics of answers, partial results and observations
 * @param startMillis start of the first query, epoch milliseconds; the last event time must not be
 *     in the future
 * @param disorderMillis by which an event may come after a younger one of its partition, at most
 * @param skewed in the second half of the queries, clocks of some servers are behind by minutes or
 *     a year; what they send is late
 * @param hot one query has as many events as all others together, nearly all of them repeated
 * @param endsInSilence after the last event of a query nothing comes, observations neither
 */
public record TrafficSettings(
        long seed,
        int queries,
        int partitions,
        long startMillis,
        long disorderMillis,
        boolean skewed,
        boolean hot,
        boolean endsInSilence) {
    /** Expiration window of all services, milliseconds. */
    public static final long WINDOW_MILLIS = 5_000;

    /** Between the starts of two queries. */
    static final long STEP_MILLIS = 2;

    /** How long after its window a query may still be remembered by the job. */
    static final long MEMORY_MILLIS = 12_000;

    private static final long DISORDER_MILLIS = 4_000;

    /** After the start of the last query, until everything is over. */
    private static final long TAIL_MILLIS = 120_000;

    /** Disorder of 4 s, right clocks, no hot query, and observations to the end. */
    public TrafficSettings(long seed, int queries, int partitions, long startMillis) {
        this(seed, queries, partitions, startMillis, DISORDER_MILLIS, false, false, false);
    }

    /** The same, all over before {@code nowMillis}. */
    public static TrafficSettings before(long nowMillis, long seed, int queries, int partitions) {
        return new TrafficSettings(
                seed, queries, partitions, nowMillis - STEP_MILLIS * queries - TAIL_MILLIS);
    }

    /** With more disorder, and wrong clocks. */
    public TrafficSettings dirty(long disorderMillis) {
        return new TrafficSettings(
                seed,
                queries,
                partitions,
                startMillis - disorderMillis,
                disorderMillis,
                true,
                hot,
                endsInSilence);
    }

    /** Over more partitions, or fewer. */
    public TrafficSettings withPartitions(int count) {
        return new TrafficSettings(
                seed, queries, count, startMillis, disorderMillis, skewed, hot, endsInSilence);
    }

    /** With a hot query in its middle. */
    public TrafficSettings withHotQuery() {
        return new TrafficSettings(
                seed,
                queries,
                partitions,
                startMillis,
                disorderMillis,
                skewed,
                true,
                endsInSilence);
    }

    /** With nothing that moves the watermark past the last queries. */
    public TrafficSettings endingInSilence() {
        return new TrafficSettings(
                seed, queries, partitions, startMillis, disorderMillis, skewed, hot, true);
    }

    /** What the job needs to be told: more than the disorder. */
    public long outOfOrdernessMillis() {
        return disorderMillis + 1_000;
    }
}
