package io.kipimo.schemas.caching;

/**
 * How reads were answered.
 *
 * @param clientHits answered by the client's own cache
 * @param sharedHits answered by a shared cache
 * @param revalidations that the filter made go to the origin
 * @param needlessRevalidations of these, found unchanged: the price of the filter
 * @param staleReads of content older than the newest that was known when it was served, where that
 *     could be told
 */
public record CacheCounts(
        long reads,
        long clientHits,
        long sharedHits,
        long revalidations,
        long needlessRevalidations,
        long staleReads) {
    /** No figure is greater: more than all caches of the world answer in a day. */
    public static final long MOST = 1L << 53;

    public static final CacheCounts NONE = new CacheCounts(0, 0, 0, 0, 0, 0);

    /** Of both; no figure exceeds {@link #MOST}. */
    public CacheCounts plus(CacheCounts other) {
        return new CacheCounts(
                Math.min(MOST, reads + other.reads),
                Math.min(MOST, clientHits + other.clientHits),
                Math.min(MOST, sharedHits + other.sharedHits),
                Math.min(MOST, revalidations + other.revalidations),
                Math.min(MOST, needlessRevalidations + other.needlessRevalidations),
                Math.min(MOST, staleReads + other.staleReads));
    }
}
