package io.kipimo.labs.demos.caching;

import io.kipimo.schemas.field.WithBuilder;

/**
 * Figures of one run, as its clients measured them.
 *
 * @param clientHits reads answered by clients' own caches
 * @param sharedHits reads answered by the shared cache
 * @param originReads reads answered by the origin, including revalidations
 * @param revalidations reads that went to the origin because of the filter
 * @param needlessRevalidations revalidations of unchanged content
 * @param staleReads answers that were out of date when the read began
 * @param tooStaleReads stale reads that were out of date for longer than Delta
 * @param beyondBoundReads stale reads that were out of date for longer than Delta plus the longest lag of the job, to
 *     within a thousandth
 * @param longestStaleMillis longest time that an answer was out of date; 0 without stale reads
 * @param staleP99Millis 99th percentile of the time that stale answers were out of date; 0 without stale reads
 * @param lag of the invalidation job
 * @param purges number of purges sent to caches
 * @param filterRequests number of requests for the filter, of all clients
 * @param failures operations without an answer
 */
@WithBuilder
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

    /** Share of the reads that no cache answered. */
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
