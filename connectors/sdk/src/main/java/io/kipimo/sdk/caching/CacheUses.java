package io.kipimo.sdk.caching;

import io.kipimo.schemas.caching.CacheCounts;
import java.util.concurrent.atomic.LongAdder;

/** What clients' reads of one table came to, counted; for any number of threads. */
public final class CacheUses {
    private final LongAdder reads = new LongAdder();
    private final LongAdder clientHits = new LongAdder();
    private final LongAdder sharedHits = new LongAdder();
    private final LongAdder revalidations = new LongAdder();
    private final LongAdder needlessRevalidations = new LongAdder();
    private final LongAdder staleReads = new LongAdder();

    /** One read was answered. */
    void answered(CachedResponse response) {
        reads.increment();
        switch (response.source()) {
            case CLIENT_CACHE -> clientHits.increment();
            case SHARED_CACHE -> sharedHits.increment();
            case ORIGIN -> {}
        }
    }

    /**
     * @param isNeedless the client's copy was still right
     */
    void revalidated(boolean isNeedless) {
        revalidations.increment();
        if (isNeedless) {
            needlessRevalidations.increment();
        }
    }

    /** Somebody found that what was served was older than what was known by then. */
    public void stale() {
        staleReads.increment();
    }

    /** What was counted since this was asked last. */
    public CacheCounts take() {
        return new CacheCounts(
                reads.sumThenReset(),
                clientHits.sumThenReset(),
                sharedHits.sumThenReset(),
                revalidations.sumThenReset(),
                needlessRevalidations.sumThenReset(),
                staleReads.sumThenReset());
    }
}
