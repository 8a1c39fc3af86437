package io.kipimo.core.ttl;

/**
 * The TTL that was last published for a key.
 *
 * @param ttlMillis time to live; -1: none was published yet
 * @param atMillis time of publication, epoch milliseconds
 */
public record PublishedTtl(long ttlMillis, long atMillis) {
    public static final PublishedTtl NOTHING = new PublishedTtl(-1, 0);

    public boolean isSomething() {
        return ttlMillis >= 0;
    }
}
