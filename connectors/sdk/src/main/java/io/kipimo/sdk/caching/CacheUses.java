package io.kipimo.sdk.caching;

import io.kipimo.schemas.caching.CacheCounts;
import java.util.concurrent.atomic.LongAdder;

/** Counts how reads of one table were answered. For any number of threads. */
public final class CacheUses {
    private final LongAdder reads = new LongAdder();
    private final LongAdder clientHits = new LongAdder();
    private final LongAdder sharedHits = new LongAdder();
    private final LongAdder revalidations = new LongAdder();
    private final LongAdder needlessRevalidations = new LongAdder();
    private final LongAdder staleReads = new LongAdder();

    /** Counts an answered read. */
    void answered(CachedResponse response) {
        reads.increment();
        switch (response.source()) {
            case CLIENT_CACHE -> clientHits.increment();
            case SHARED_CACHE -> sharedHits.increment();
            case ORIGIN -> {}
        }
    }

    /** @param isNeedless whether the client's copy was still valid */
    void revalidated(boolean isNeedless) {
        revalidations.increment();
        if (isNeedless) {
            needlessRevalidations.increment();
        }
    }

    /** Counts a read that was found to be stale. */
    public void stale() {
        staleReads.increment();
    }

    /**
     * Counts since the last call. No count of a part exceeds the count of its whole; an excess counts in the next call.
     */
    public CacheCounts take() {
        long all = take(reads, CacheCounts.MOST);
        long client = take(clientHits, all);
        long shared = take(sharedHits, all - client);
        long revalidated = take(revalidations, all);
        return new CacheCounts(
                all, client, shared, revalidated, take(needlessRevalidations, revalidated), take(staleReads, all));
    }

    private static long take(LongAdder sum, long most) {
        long all = sum.sumThenReset();
        long taken = Math.min(all, most);
        sum.add(all - taken);
        return taken;
    }
}
