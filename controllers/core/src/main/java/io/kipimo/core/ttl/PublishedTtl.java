package io.kipimo.core.ttl;

/**
 * The TTL that was last published for a key.
 *
 * @param ttlMillis -1: nothing yet
 * @param atMillis epoch milliseconds
 */
public record PublishedTtl(long ttlMillis, long atMillis) {
    public static final PublishedTtl NOTHING = new PublishedTtl(-1, 0);

    public boolean isSomething() {
        return ttlMillis >= 0;
    }
}
