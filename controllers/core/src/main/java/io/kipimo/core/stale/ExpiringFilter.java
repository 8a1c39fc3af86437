package io.kipimo.core.stale;

/**
 * {@link StaleKeys} in memory. Operations take constant time apart from the expiry of keys, which a {@link TimingWheel}
 * schedules. For one thread.
 *
 * <p>Keys are identified by 64-bit hashes. If two keys share a hash, the later expiry counts for both, and both are
 * stale if one is, which is safe.
 */
public final class ExpiringFilter implements StaleKeys {
    private final long wholeFromMillis;
    private final long longestTtlMillis;
    private final ExpiryTable keys = new ExpiryTable();
    private final CountingFilter filter;
    private final TimingWheel due;
    private final RecentBuckets recent;
    private FlatFilter flat;
    private long stale;

    /** @param longestTtlMillis longest time to live that is handed out */
    public ExpiringFilter(FilterShape shape, long longestTtlMillis) {
        this(shape, longestTtlMillis, Long.MIN_VALUE);
    }

    /**
     * Creates a filter at a time when caches may hold answers already, as after a restart.
     *
     * @param wholeFromMillis see {@link #wholeFromMillis}: the time of the start plus the longest time to live, epoch
     *     milliseconds
     */
    public ExpiringFilter(FilterShape shape, long longestTtlMillis, long wholeFromMillis) {
        this.longestTtlMillis = longestTtlMillis;
        this.filter = new CountingFilter(shape);
        this.due = new TimingWheel(longestTtlMillis);
        this.recent = new RecentBuckets(shape);
        this.wholeFromMillis = wholeFromMillis;
    }

    @Override
    public long wholeFromMillis(long nowMillis) {
        return wholeFromMillis;
    }

    @Override
    public void reportRead(String key, long expiryMillis, long nowMillis) {
        reportRead(KeyHash.of(key), expiryMillis, nowMillis);
    }

    /** @param hash {@link KeyHash#of} */
    public void reportRead(long hash, long expiryMillis, long nowMillis) {
        StaleKeys.requireTtl(expiryMillis - nowMillis, longestTtlMillis);
        expire(nowMillis);
        if (expiryMillis <= nowMillis) {
            return;
        }
        int slot = keys.slotOf(hash);
        if (slot < 0) {
            slot = keys.slotOfNew(hash);
            due.add(hash, expiryMillis);
        }
        if (keys.cachedUntil(slot) < expiryMillis) {
            keys.setCachedUntil(slot, expiryMillis);
        }
    }

    @Override
    public InvalidationEffect invalidate(String key, long nowMillis) {
        return invalidate(KeyHash.of(key), nowMillis);
    }

    /** @param hash {@link KeyHash#of} */
    public InvalidationEffect invalidate(long hash, long nowMillis) {
        expire(nowMillis);
        int slot = keys.slotOf(hash);
        if (slot < 0 || keys.cachedUntil(slot) <= nowMillis) {
            return InvalidationEffect.NOT_CACHED;
        }
        recent.add(hash, nowMillis);
        long before = keys.staleUntil(slot);
        if (before >= keys.cachedUntil(slot)) {
            return InvalidationEffect.STALE_BEFORE;
        }
        keys.setStaleUntil(slot, keys.cachedUntil(slot));
        if (before == 0) {
            filter.add(hash);
            flat = null;
            stale++;
        }
        return InvalidationEffect.STALE;
    }

    @Override
    public boolean isStale(String key, long nowMillis) {
        int slot = keys.slotOf(KeyHash.of(key));
        return slot >= 0 && keys.staleUntil(slot) > nowMillis;
    }

    @Override
    public FlatFilter flat(long nowMillis) {
        expire(nowMillis);
        if (flat == null) {
            flat = filter.flat();
        }
        return flat;
    }

    @Override
    public RecentKeys recent(long nowMillis) {
        return recent.at(nowMillis);
    }

    @Override
    public long staleKeys(long nowMillis) {
        expire(nowMillis);
        return stale;
    }

    @Override
    public long trackedKeys(long nowMillis) {
        expire(nowMillis);
        return keys.size();
    }

    private void expire(long nowMillis) {
        while (due.isDue(nowMillis)) {
            for (long hash : due.next(nowMillis)) {
                expire(hash, nowMillis);
            }
        }
    }

    private void expire(long hash, long nowMillis) {
        int slot = keys.slotOf(hash);
        if (keys.staleUntil(slot) > 0 && keys.staleUntil(slot) <= nowMillis) {
            keys.setStaleUntil(slot, 0);
            filter.remove(hash);
            flat = null;
            stale--;
        }
        long next = keys.staleUntil(slot) > 0 ? keys.staleUntil(slot) : keys.cachedUntil(slot);
        if (next > nowMillis) {
            due.add(hash, next);
        } else {
            keys.remove(slot);
        }
    }
}
