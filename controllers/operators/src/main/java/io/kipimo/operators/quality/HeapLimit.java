package io.kipimo.operators.quality;

import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.function.LongSupplier;

/**
 * Says when the heap of this process is nearly full: by what was in use right after a collection, so garbage does not
 * count. For one task, once its state is restored.
 */
final class HeapLimit {
    /** Share of the old generation that may be in use after a collection. With G1 that is the whole heap. */
    static final double MOST = 0.85;

    /** How much of the heap was in use after the last collection of old objects. */
    interface HeapUse extends Serializable {
        MemoryUsage afterCollection();
    }

    /** The pool in which objects grow old; the others have no thresholds. */
    private static final MemoryPoolMXBean OLD = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP && pool.isUsageThresholdSupported())
            .findFirst()
            .orElseThrow();

    private final HeapUse use;

    /** What was left before this task began, or while its state was read, says nothing of it. */
    private final long usedBefore;

    HeapLimit(HeapUse use) {
        this.use = use;
        usedBefore = use.afterCollection().getUsed();
    }

    /** The use of this process's heap. */
    static MemoryUsage ofThisProcess() {
        return OLD.getCollectionUsage();
    }

    /**
     * Does nothing while there is room.
     *
     * @param openQueries for the message; counting them reads much memory
     * @throws IllegalStateException if the heap is nearly full, since its end would end all tasks of this process
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
