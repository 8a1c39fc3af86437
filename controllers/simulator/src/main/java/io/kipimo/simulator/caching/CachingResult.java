package io.kipimo.simulator.caching;

/**
 * What came of the reads.
 *
 * @param clientHits answered by the client's own cache, of records and of queries
 * @param sharedHits answered by the shared cache
 * @param recordReads of the reads, those of one record; the rest read queries
 * @param staleRecordReads those that missed a write which was over before they began
 * @param longestStaleMillis most by which a read was stale
 * @param tooStale reads that were stale for longer than Delta and the time of detection
 * @param backwards reads of a client that gave an older version than it had seen before they began
 * @param ownWritesMissed reads of a record that a client had written, without its write
 * @param falseRevalidations revalidations by the filter of keys that were not stale
 * @param meanLatencyMillis of reads
 */
public record CachingResult(
        long reads,
        long recordReads,
        long clientHits,
        long clientQueryHits,
        long sharedHits,
        long writes,
        long invalidations,
        long staleRecordReads,
        long staleQueryReads,
        double longestStaleMillis,
        long tooStale,
        long backwards,
        long ownWritesMissed,
        long revalidations,
        long falseRevalidations,
        double meanLatencyMillis) {

    public long queryReads() {
        return reads - recordReads;
    }

    public double clientHitRate() {
        return (double) clientHits / reads;
    }

    public double clientQueryHitRate() {
        return (double) clientQueryHits / queryReads();
    }

    /** Hit rate of reads that reached the shared cache. */
    public double sharedHitRate() {
        return (double) sharedHits / Math.max(1, reads - clientHits);
    }

    public double staleRecordShare() {
        return (double) staleRecordReads / Math.max(1, recordReads);
    }

    public double staleQueryShare() {
        return (double) staleQueryReads / Math.max(1, queryReads());
    }
}
