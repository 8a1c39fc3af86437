package io.kipimo.simulator.service;

import io.kipimo.simulator.workload.Distribution;
import io.kipimo.simulator.workload.ModelChecks;

/**
 * Some of a tier's partitions are caches beside the others: they hold no items of their own, but
 * again some of those that lie elsewhere (Ubora, sec. 3: Redis beside each Lucene server). What a
 * cache returns in time is not missed when the slow partition is late.
 *
 * @param partitions that are caches, the first of the tier; fewer than all
 * @param cores of a cache's server
 * @param demand work of a request to a cache, seconds of a core
 */
public record CacheNodes(int partitions, int cores, Distribution demand) {
    public CacheNodes {
        ModelChecks.atLeast("cache partitions", partitions, 1);
        ModelChecks.atLeast("cores of a cache", cores, 1);
    }
}
