package io.kipimo.examples.caching;

import java.util.List;

/**
 * What came out of a caching demo.
 *
 * @param cache that was used
 * @param runs in the order of the ways
 * @param notes what was run, a sentence each
 */
record CachingSummary(String cache, List<CachingRunResult> runs, List<String> notes) {
    /**
     * Whether everything really ran: all read and wrote, nothing failed, caches answered where
     * there are some, and the filter was asked for where there is one.
     */
    boolean ran() {
        return runs.size() == WayOfCaching.values().length
                && runs.stream().allMatch(CachingSummary::ran);
    }

    private static boolean ran(CachingRunResult run) {
        boolean cached = run.clientHits() + run.sharedHits() > 0;
        return run.reads() > 0
                && run.writes() > 0
                && run.failures() == 0
                && cached == run.way().hasCaches()
                && (run.filterRequests() > 0) == run.way().hasFilter()
                && (run.purges() > 0) == run.way().hasPurges();
    }
}
