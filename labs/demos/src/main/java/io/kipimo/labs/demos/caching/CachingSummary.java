package io.kipimo.labs.demos.caching;

import java.util.List;

/**
 * Results of a caching demo.
 *
 * @param cache name of the shared cache
 * @param runs in the order of the ways
 * @param notes descriptions of the runs, a sentence each
 */
record CachingSummary(String cache, List<CachingRunResult> runs, List<String> notes) {
    /**
     * Returns whether every run was complete: there were reads and writes, and nothing failed; caches, filter and
     * purges were used exactly if the way of caching has them.
     */
    boolean ran() {
        return runs.size() == WayOfCaching.values().length && runs.stream().allMatch(CachingSummary::ran);
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
