package io.kipimo.core.stale;

/**
 * Migrates {@link StaleKeys} from one store to another without missing keys and without copying any. Reads are reported
 * to the new store only, changes to both, and clients get the union. So each change reaches the store that has the read
 * of its key. The old store is empty once the longest time to live has passed since the last read was reported to it.
 *
 * <p>With several processes the order of steps matters. All processes must complete a step before the next begins:
 *
 * <ol>
 *   <li>changes go to both stores, reads still to the old one ({@link MigrationStep#CHANGES_TO_BOTH});
 *   <li>clients get the union and reads go to the new one ({@link MigrationStep#READS_TO_NEW});
 *   <li>after the longest time to live ({@link #isOver}) the old store is not needed any more.
 * </ol>
 */
public final class MigratingStaleKeys implements StaleKeys {
    /** Steps of a migration. */
    public enum MigrationStep {
        CHANGES_TO_BOTH,
        READS_TO_NEW
    }

    private final StaleKeys old;
    private final StaleKeys next;
    private final MigrationStep step;

    /** Creates one step of a migration. Both stores must have filters of the same shape. */
    public MigratingStaleKeys(StaleKeys old, StaleKeys next, MigrationStep step) {
        this.old = old;
        this.next = next;
        this.step = step;
    }

    /** Whether no cache can still hold a key that only the old store tracks. */
    public boolean isOver(long nowMillis) {
        return step == MigrationStep.READS_TO_NEW && old.trackedKeys(nowMillis) == 0;
    }

    @Override
    public void reportRead(String key, long expiryMillis, long nowMillis) {
        (step == MigrationStep.READS_TO_NEW ? next : old).reportRead(key, expiryMillis, nowMillis);
    }

    @Override
    public InvalidationEffect invalidate(String key, long nowMillis) {
        InvalidationEffect there = old.invalidate(key, nowMillis);
        InvalidationEffect here = next.invalidate(key, nowMillis);
        if (there == InvalidationEffect.STALE || here == InvalidationEffect.STALE) {
            return InvalidationEffect.STALE;
        }
        return there == InvalidationEffect.STALE_BEFORE ? there : here;
    }

    @Override
    public boolean isStale(String key, long nowMillis) {
        return old.isStale(key, nowMillis) || next.isStale(key, nowMillis);
    }

    @Override
    public FlatFilter flat(long nowMillis) {
        return old.flat(nowMillis).union(next.flat(nowMillis));
    }

    @Override
    public RecentKeys recent(long nowMillis) {
        return old.recent(nowMillis).union(next.recent(nowMillis));
    }

    /**
     * Returns when no key is missing any more. Reads that were reported to the old store are in it until they have
     * expired, so that store counts in both steps.
     */
    @Override
    public long wholeFromMillis(long nowMillis) {
        long from = old.wholeFromMillis(nowMillis);
        return step == MigrationStep.READS_TO_NEW ? Math.max(from, next.wholeFromMillis(nowMillis)) : from;
    }

    /** Upper bound of the number of stale keys: a key in both stores counts twice. */
    @Override
    public long staleKeys(long nowMillis) {
        return old.staleKeys(nowMillis) + next.staleKeys(nowMillis);
    }

    /** Upper bound of the number of keys that some cache may hold: a key in both stores counts twice. */
    @Override
    public long trackedKeys(long nowMillis) {
        return old.trackedKeys(nowMillis) + next.trackedKeys(nowMillis);
    }
}
