package io.kipimo.simulator.caching;

import io.kipimo.schemas.field.WithBuilder;

/**
 * Result of the reads.
 *
 * @param clientHits reads of records and of queries that the client's own cache answered
 * @param sharedHits reads that the shared cache answered
 * @param originReads requests that the origin answered
 * @param lengthMillis virtual time until the last read
 * @param recordReads reads of one record; the others read queries
 * @param staleRecordReads reads of records that missed a write which had ended before they began
 * @param longestStaleMillis greatest staleness of a read
 * @param p99StaleMillis 99th percentile of the staleness of stale reads, within 1 %
 * @param tooStale reads that were stale for longer than Delta and, for queries, the time of detection
 * @param backwards reads of a client that returned an older version than the client had seen before they began
 * @param ownWritesMissed reads of a record that miss the client's own write
 * @param falselyStale reads of keys that the filter held although no copy was stale
 * @param filterFetches answers with the filter
 * @param filterBytes size of all those answers, compressed
 * @param meanLatencyMillis mean latency of reads
 * @param medianLatencyMillis median latency of reads, within 1 %, like the 99th percentile
 * @param meanRecordLatencyMillis mean latency of reads of one record; 0 without such reads, as for the other latencies
 * @param meanQueryLatencyMillis mean latency of reads of queries
 * @param meanSharedLatencyMillis mean latency of reads that the shared cache answered
 * @param meanOriginLatencyMillis mean latency of reads that the origin answered
 */
@WithBuilder
public record CachingResult(
        long reads,
        long recordReads,
        long clientHits,
        long clientQueryHits,
        long sharedHits,
        long originReads,
        double lengthMillis,
        long writes,
        long invalidations,
        long staleRecordReads,
        long staleQueryReads,
        double longestStaleMillis,
        double p99StaleMillis,
        long tooStale,
        long backwards,
        long ownWritesMissed,
        long revalidations,
        long falselyStale,
        long filterFetches,
        double filterBytes,
        double meanLatencyMillis,
        double medianLatencyMillis,
        double p99LatencyMillis,
        double meanRecordLatencyMillis,
        double meanQueryLatencyMillis,
        double meanSharedLatencyMillis,
        double meanOriginLatencyMillis) {

    public long queryReads() {
        return reads - recordReads;
    }

    public double clientHitRate() {
        return (double) clientHits / reads;
    }

    public double clientRecordHitRate() {
        return (double) (clientHits - clientQueryHits) / Math.max(1, recordReads);
    }

    public double operationsPerSecond() {
        return 1e3 * (reads + writes) / lengthMillis;
    }

    public double originReadsPerSecond() {
        return 1e3 * originReads / lengthMillis;
    }

    public double clientQueryHitRate() {
        return (double) clientQueryHits / Math.max(1, queryReads());
    }

    public double staleRecordShare() {
        return (double) staleRecordReads / Math.max(1, recordReads);
    }

    public double staleQueryShare() {
        return (double) staleQueryReads / Math.max(1, queryReads());
    }
}
