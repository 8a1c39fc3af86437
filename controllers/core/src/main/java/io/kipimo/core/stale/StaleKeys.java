package io.kipimo.core.stale;

/**
 * The server's side of the Expiring Bloom Filter of one table (Quaestor, sec. 3.3). A key enters when it becomes stale.
 * It leaves when the longest time to live handed out for it before has ended. Until then some cache may hold the old
 * content.
 *
 * <p>Every implementation guarantees that no key is missing while it must be inside. A key may stay inside for one
 * second longer, and other keys may be false positives; both only cost a revalidation. All times are epoch milliseconds
 * of one clock and must not decrease.
 */
public interface StaleKeys {
    /**
     * Time by which the reported expiry of an answer is later than that of its copies, since caches count in whole
     * seconds and clocks differ.
     */
    long EXPIRY_SLACK_MILLIS = 2_000;

    /** Effect of a write on caches. */
    enum InvalidationEffect {
        /** No cache can hold the key. */
        NOT_CACHED,
        /** Some cache may hold the key, so it must be purged. */
        STALE,
        /**
         * The key was stale already, and the filter keeps it until every time to live that was handed out for it has
         * ended.
         */
        STALE_BEFORE
    }

    /**
     * Reports that the content of a key was handed out and may be cached until {@code expiryMillis}.
     *
     * @throws IllegalArgumentException if the expiry is more than the longest time to live ahead
     */
    void reportRead(String key, long expiryMillis, long nowMillis);

    /** Reports that the content of a key has changed. */
    InvalidationEffect invalidate(String key, long nowMillis);

    /** Whether the key is inside the filter. Implementations that store their keys give no false positives. */
    boolean isStale(String key, long nowMillis);

    /** Returns the filter that clients get. */
    FlatFilter flat(long nowMillis);

    /** The keys that became stale lately. Take it after {@link #flat}, so that it misses no key of the flat filter. */
    RecentKeys recent(long nowMillis);

    /**
     * Returns the time from which on no key is missing, epoch milliseconds. A store that has lost its content lacks the
     * keys that were handed out before, until the longest time to live has passed. Call this after {@link #flat} and
     * {@link #recent}: if the returned time is over by then, both were whole.
     */
    default long wholeFromMillis(long nowMillis) {
        return Long.MIN_VALUE;
    }

    /** Number of stale keys. */
    long staleKeys(long nowMillis);

    /** Number of keys that some cache may hold. */
    long trackedKeys(long nowMillis);

    /**
     * Checks the arguments of {@link #reportRead}.
     *
     * @throws IllegalArgumentException if the time to live is longer than the longest
     */
    static void requireTtl(long ttlMillis, long longestTtlMillis) {
        if (ttlMillis > longestTtlMillis) {
            throw new IllegalArgumentException(
                    "time to live is " + ttlMillis + " ms; allowed: at most " + longestTtlMillis);
        }
    }
}
