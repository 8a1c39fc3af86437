package io.kipimo.examples.caching;

/**
 * What the clients of one run saw.
 *
 * @param clientHits reads answered by clients' own caches
 * @param sharedHits reads answered by the shared cache
 * @param originReads answered by the origin, revalidations included
 * @param revalidations that the filter made go to the origin
 * @param needlessRevalidations of these, found unchanged
 * @param staleReads answers that were out of date when the read began
 * @param tooStaleReads of these, for longer than Delta
 * @param beyondBoundReads of these, for longer than Delta and the longest lag of the job together;
 *     to within a thousandth of a time
 * @param longestStaleMillis 0 if none was
 * @param staleP99Millis of stale reads; 0 if there were none
 * @param lag of the invalidation job
 * @param purges that caches were told
 * @param filterRequests of all clients
 * @param failures operations that nobody answered
 */
record CachingRunResult(
        WayOfCaching way,
        long reads,
        long writes,
        long clientHits,
        long sharedHits,
        long originReads,
        long revalidations,
        long needlessRevalidations,
        long staleReads,
        long tooStaleReads,
        long beyondBoundReads,
        double longestStaleMillis,
        double staleP99Millis,
        double meanMillis,
        double p50Millis,
        double p99Millis,
        JobLag lag,
        long purges,
        long filterRequests,
        long filterBytes,
        long failures) {

    double clientHitRate() {
        return share(clientHits);
    }

    double sharedHitRate() {
        return share(sharedHits);
    }

    /** Of all reads, those that no cache answered. */
    double originShare() {
        return share(originReads);
    }

    double staleShare() {
        return share(staleReads);
    }

    private double share(long part) {
        return reads == 0 ? 0 : (double) part / reads;
    }
}
