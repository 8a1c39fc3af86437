package io.kipimo.core.stale;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Decides what one client may read from caches (Quaestor, sec. 3.1 to 3.3). The age of its filter
 * gives Delta-atomicity (Theorem 1). Versions give monotonic reads and reads of its own writes
 * within the session. For one thread; times are milliseconds of any one monotonic clock.
 *
 * <p>Steps of a read: {@link #decide}, the request, {@link #judge}. On {@link Verdict#REVALIDATE}
 * the client repeats the request past the caches and calls {@link #revalidated}. The origin must
 * never lower the version of a key.
 */
public final class FreshnessSession {
    /** How to request a key. */
    public enum Way {
        /** Caches may answer. */
        CACHED,
        /** Caches must revalidate their content at the origin. */
        REVALIDATE,
        /** Like REVALIDATE, and the answer must bring a new filter. */
        REVALIDATE_AND_REFRESH
    }

    /** Whether an answer may be used. */
    public enum Verdict {
        TAKE,
        /** It is older than a version that the session has read or written: request it again. */
        REVALIDATE
    }

    /** A version that the session has read or written. A cache may hold an older one. */
    private record Known(long version, boolean written) {}

    private final FreshnessSettings settings;
    private final LinkedHashMap<Long, Known> known = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * Keys requested from the origin since the filter was requested, with that time: they are
     * fresh.
     */
    private final Map<Long, Long> revalidatedAt = new HashMap<>();

    /** Filter of keys whose versions were dropped for lack of space. */
    private final byte[] forgotten = new byte[FilterShape.ONE_ROUND_TRIP.bytes()];

    private FlatFilter filter;
    private long filterAskedAtMillis = Long.MIN_VALUE;

    public FreshnessSession(FreshnessSettings settings) {
        this.settings = settings;
    }

    /**
     * Replaces the filter.
     *
     * @param askedAtMillis when it was requested; its content is at least as new
     */
    public void refresh(FlatFilter fresh, long askedAtMillis) {
        if (askedAtMillis < filterAskedAtMillis) {
            return;
        }
        filter = fresh;
        filterAskedAtMillis = askedAtMillis;
        // Keys revalidated since the new filter was requested are at least as new as the filter.
        revalidatedAt.values().removeIf(at -> at < askedAtMillis);
    }

    /** Whether there is a filter not older than Delta. */
    public boolean isFresh(long nowMillis) {
        return filter != null && nowMillis - filterAskedAtMillis < settings.refreshMillis();
    }

    /** How to request a key now. */
    public Way decide(String key, long nowMillis) {
        if (!isFresh(nowMillis)) {
            return Way.REVALIDATE_AND_REFRESH;
        }
        long hash = KeyHash.of(key);
        if (revalidatedAt.containsKey(hash)) {
            return Way.CACHED;
        }
        Known seen = known.get(hash);
        boolean isOwnWrite = seen != null && seen.written();
        return isOwnWrite || filter.mightContain(hash) || isForgotten(hash, seen)
                ? Way.REVALIDATE
                : Way.CACHED;
    }

    /** Whether an answer that may come from a cache is usable. */
    public Verdict judge(String key, long version) {
        long hash = KeyHash.of(key);
        Known seen = known.get(hash);
        if (seen != null && version < seen.version()) {
            return Verdict.REVALIDATE;
        }
        remember(hash, new Known(version, seen != null && seen.written()));
        return Verdict.TAKE;
    }

    /**
     * Records an answer of the origin, which is fresh until the next filter.
     *
     * @param askedAtMillis when it was requested
     */
    public void revalidated(String key, long version, long askedAtMillis) {
        long hash = KeyHash.of(key);
        Known seen = known.get(hash);
        if (seen == null || version >= seen.version()) {
            remember(hash, new Known(version, false));
        }
        if (askedAtMillis >= filterAskedAtMillis) {
            revalidatedAt.merge(hash, askedAtMillis, Math::max);
        }
    }

    /** Records a write of the session. Caches may still hold the version before it. */
    public void wrote(String key, long version) {
        long hash = KeyHash.of(key);
        remember(hash, new Known(version, true));
        revalidatedAt.remove(hash);
    }

    private void remember(long hash, Known version) {
        known.put(hash, version);
        if (known.size() > settings.rememberedKeys()) {
            Iterator<Long> oldest = known.keySet().iterator();
            long gone = oldest.next();
            oldest.remove();
            for (int position : KeyHash.positions(gone, FilterShape.ONE_ROUND_TRIP)) {
                FlatFilter.set(forgotten, position);
            }
        }
    }

    private boolean isForgotten(long hash, Known seen) {
        return seen == null && FlatFilter.mightContain(forgotten, hash, FilterShape.ONE_ROUND_TRIP);
    }
}
