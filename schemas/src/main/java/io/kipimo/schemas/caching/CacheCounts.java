package io.kipimo.schemas.caching;

import io.kipimo.schemas.field.Range;

/**
 * Results of cache reads.
 *
 * @param clientHits reads answered by the client's own cache
 * @param sharedHits reads answered by a shared cache
 * @param revalidations reads that the filter of stale keys sent to the origin
 * @param needlessRevalidations revalidations that found the content unchanged: the cost of the filter's false positives
 * @param staleReads reads of content that was outdated when it was served, as far as the reporter could detect it
 */
public record CacheCounts(
        long reads,
        @Range(mostOf = "reads") long clientHits,
        long sharedHits,
        @Range(mostOf = "reads") long revalidations,
        @Range(mostOf = "revalidations") long needlessRevalidations,
        @Range(mostOf = "reads") long staleReads) {
    /** Upper bound of every count: more than all caches of the world answer in a day. */
    public static final long MOST = 1L << 53;

    public static final CacheCounts NONE = new CacheCounts(0, 0, 0, 0, 0, 0);

    /** Adds the counts of both; each sum is capped at {@link #MOST}. */
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
