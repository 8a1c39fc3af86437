package io.kipimo.operators.quality;

import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.function.LongSupplier;

/**
 * Detects when the heap of this process is nearly full. It uses the memory in use right after a garbage collection, so
 * garbage does not count. Each task creates its own instance once its state is restored.
 */
final class HeapLimit {
    /**
     * Share of the old generation that may be in use after a collection. With G1, the size of the old generation is
     * that of the whole heap.
     */
    static final double MOST = 0.85;

    /** Returns how much of the heap was in use after the last collection of old objects. */
    interface HeapUse extends Serializable {
        MemoryUsage afterCollection();
    }

    /** The memory pool of old objects, which is the heap pool that supports a usage threshold. */
    private static final MemoryPoolMXBean OLD = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP && pool.isUsageThresholdSupported())
            .findFirst()
            .orElseThrow();

    private final HeapUse use;

    /**
     * Bytes in use after the last collection at the time of creation. They are from before this task began, or from
     * while its state was read, so this figure says nothing about the task and is ignored.
     */
    private final long usedBefore;

    HeapLimit(HeapUse use) {
        this.use = use;
        usedBefore = use.afterCollection().getUsed();
    }

    /** Returns the use of this process's heap after the last collection of old objects. */
    static MemoryUsage ofThisProcess() {
        return OLD.getCollectionUsage();
    }

    /**
     * Fails if the heap is nearly full.
     *
     * @param openQueries counts the open queries for the message; called only on failure, since counting reads much
     *     memory
     * @throws IllegalStateException if the heap is nearly full: running out of heap would end all tasks of this process
     */
    void require(LongSupplier openQueries) {
        MemoryUsage now = use.afterCollection();
        if (now.getUsed() > MOST * now.getMax() && now.getUsed() != usedBefore) {
            throw new IllegalStateException(
                    ("%d of the %d MB for old objects in this TaskManager's heap are in use after a collection,"
                                    + " and this subtask of the join has %d open queries; allowed: %.0f %%. Lower the sampling rates or"
                                    + " the expiration windows of the policies, or give the TaskManagers more memory; the job"
                                    + " continues from its last checkpoint")
                            .formatted(now.getUsed() >> 20, now.getMax() >> 20, openQueries.getAsLong(), 100 * MOST));
        }
    }
}
