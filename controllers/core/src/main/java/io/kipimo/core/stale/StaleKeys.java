package io.kipimo.core.stale;

/**
 * The server's side of the Expiring Bloom Filter of one table (Quaestor, sec. 3.3): a key is inside
 * from when it became stale until the highest time to live that was handed out for it before that
 * has run out. Until then some cache may hold the old content.
 *
 * <p>Promises of every home of it: a key is never missing while it must be inside. It may stay
 * inside for a second longer, and others may seem to be inside by chance; both only cost a
 * revalidation. All times are epoch milliseconds of the same clock, and never go back.
 */
public interface StaleKeys {
    /** What a write meant for the caches. */
    enum Invalidation {
        /** No cache can hold the key. */
        NOT_CACHED,
        /** Some cache may hold it: to be purged. */
        STALE,
        /** It was stale already, and no time to live that was handed out since is longer. */
        STALE_BEFORE
    }

    /**
     * The content of a key was handed out, and may be cached until {@code expiryMillis}.
     *
     * @throws IllegalArgumentException if the expiry is more than the longest time to live ahead
     */
    void reportRead(String key, long expiryMillis, long nowMillis);

    /** The content of a key has changed. */
    Invalidation invalidate(String key, long nowMillis);

    /** Whether the key is inside, without chance where the home knows its keys. */
    boolean isStale(String key, long nowMillis);

    /** What clients are to be sent. */
    FlatFilter flat(long nowMillis);

    /** Keys inside. */
    long staleKeys(long nowMillis);

    /** Keys that some cache may hold. */
    long trackedKeys(long nowMillis);

    /**
     * Checks what {@link #reportRead} is told.
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
