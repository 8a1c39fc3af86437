package io.kipimo.harness.oracle;

/**
 * How much traffic, and when.
 *
 * @param queries about 500 start a second of event time
 * @param partitions of the topics of answers and of partial results
 * @param startMillis start of the first query, epoch milliseconds; the last event time is some
 *     {@code queries / 500 + 40} seconds later and must not be in the future
 */
public record TrafficSettings(long seed, int queries, int partitions, long startMillis) {
    /** Milliseconds by which an event may come after a younger one of its partition, at most. */
    public static final long DISORDER_MILLIS = 4_000;

    /** What the job needs to be told: more than {@link #DISORDER_MILLIS}. */
    public static final long OUT_OF_ORDERNESS_MILLIS = 5_000;

    /** Expiration window of both services, milliseconds. */
    public static final long WINDOW_MILLIS = 5_000;

    /** Between the starts of two queries. */
    static final long STEP_MILLIS = 2;

    /** How long after its window a query may still be remembered by the job. */
    static final long MEMORY_MILLIS = 12_000;
}
