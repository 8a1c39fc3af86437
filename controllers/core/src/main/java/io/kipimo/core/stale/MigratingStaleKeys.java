package io.kipimo.core.stale;

/**
 * {@link StaleKeys} on their way from one home to another, without a key that is missing meanwhile
 * and without copying any: reads are reported to the new home only, changes to both, and clients
 * get the union. So every read is known where the next change of its key is told. When the longest
 * time to live has passed since the last read was reported to the old home, that one is empty.
 *
 * <p>With several processes the order of steps matters. Each is to be done everywhere before the
 * next begins:
 *
 * <ol>
 *   <li>changes go to both homes, reads still to the old one ({@link Step#CHANGES_TO_BOTH});
 *   <li>clients get the union and reads go to the new one ({@link Step#READS_TO_NEW});
 *   <li>the longest time to live later, {@link #isOver}: the old home is not needed any more.
 * </ol>
 */
public final class MigratingStaleKeys implements StaleKeys {
    /** How far a migration is. */
    public enum Step {
        CHANGES_TO_BOTH,
        READS_TO_NEW
    }

    private final StaleKeys old;
    private final StaleKeys next;
    private final Step step;

    /** Both homes have one shape. */
    public MigratingStaleKeys(StaleKeys old, StaleKeys next, Step step) {
        this.old = old;
        this.next = next;
        this.step = step;
    }

    /** Whether no cache can hold anything any more that only the old home knows of. */
    public boolean isOver(long nowMillis) {
        return step == Step.READS_TO_NEW && old.trackedKeys(nowMillis) == 0;
    }

    @Override
    public void reportRead(String key, long expiryMillis, long nowMillis) {
        (step == Step.READS_TO_NEW ? next : old).reportRead(key, expiryMillis, nowMillis);
    }

    @Override
    public Invalidation invalidate(String key, long nowMillis) {
        Invalidation there = old.invalidate(key, nowMillis);
        Invalidation here = next.invalidate(key, nowMillis);
        if (there == Invalidation.STALE || here == Invalidation.STALE) {
            return Invalidation.STALE;
        }
        return there == Invalidation.STALE_BEFORE ? there : here;
    }

    @Override
    public boolean isStale(String key, long nowMillis) {
        return old.isStale(key, nowMillis) || next.isStale(key, nowMillis);
    }

    @Override
    public FlatFilter flat(long nowMillis) {
        return old.flat(nowMillis).union(next.flat(nowMillis));
    }

    /** At least the number inside: a key that is in both homes counts twice. */
    @Override
    public long staleKeys(long nowMillis) {
        return old.staleKeys(nowMillis) + next.staleKeys(nowMillis);
    }

    /** At least the number that some cache may hold: a key that is in both homes counts twice. */
    @Override
    public long trackedKeys(long nowMillis) {
        return old.trackedKeys(nowMillis) + next.trackedKeys(nowMillis);
    }
}
