package io.kipimo.sdk.caching;

import java.util.concurrent.atomic.LongAdder;

/** What clients' reads of one table came to, counted; for any number of threads. */
public final class CacheUses {
    private final LongAdder reads = new LongAdder();
    private final LongAdder clientHits = new LongAdder();
    private final LongAdder sharedHits = new LongAdder();
    private final LongAdder revalidations = new LongAdder();
    private final LongAdder needlessRevalidations = new LongAdder();
    private final LongAdder staleReads = new LongAdder();

    /**
     * @param clientHits answered by a client's own cache
     * @param sharedHits answered by a shared cache
     * @param revalidations that the filter made go to the origin
     * @param needlessRevalidations of these, found unchanged
     * @param staleReads older than the newest that was known, where that could be told
     */
    public record Counts(
            long reads,
            long clientHits,
            long sharedHits,
            long revalidations,
            long needlessRevalidations,
            long staleReads) {}

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
    public Counts take() {
        return new Counts(
                reads.sumThenReset(),
                clientHits.sumThenReset(),
                sharedHits.sumThenReset(),
                revalidations.sumThenReset(),
                needlessRevalidations.sumThenReset(),
                staleReads.sumThenReset());
    }
}
