package io.kipimo.core.ttl;

/**
 * What caches were last told of a key.
 *
 * @param ttlMillis -1: nothing yet
 * @param atMillis epoch milliseconds
 */
public record ToldTtl(long ttlMillis, long atMillis) {
    public static final ToldTtl NOTHING = new ToldTtl(-1, 0);

    public boolean isSomething() {
        return ttlMillis >= 0;
    }
}
