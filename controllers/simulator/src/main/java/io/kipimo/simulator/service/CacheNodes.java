package io.kipimo.simulator.service;

import io.kipimo.simulator.workload.Distribution;
import io.kipimo.simulator.workload.ModelChecks;

/**
 * Partitions of a tier that are caches: they hold no items of their own, but copies of items of other partitions
 * (Ubora, sec. 3: Redis beside each Lucene server). If a cache returns an item in time, the answer has the item even if
 * the item's partition is late.
 *
 * @param partitions number of partitions that are caches, the first of the tier; fewer than all
 * @param cores cores of a cache's server
 * @param demand work of a request to a cache, seconds of a core
 */
public record CacheNodes(int partitions, int cores, Distribution demand) {
    public CacheNodes {
        ModelChecks.atLeast("cache partitions", partitions, 1);
        ModelChecks.atLeast("cores of a cache", cores, 1);
    }
}
