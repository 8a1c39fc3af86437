package io.kipimo.core.stale;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one client may take from caches (Quaestor, sec. 3.1 to 3.3): Delta-atomicity by the age of
 * its filter (Theorem 1), and, within the session, monotonic reads and reads of its own writes by
 * versions. For one thread; times are milliseconds of any one clock that does not go back.
 *
 * <p>A read goes: {@link #decide}, the request, {@link #judge}; on {@link Verdict#REVALIDATE} the
 * request once more, past the caches, and {@link #revalidated}. A version of a key never falls at
 * the origin.
 */
public final class FreshnessSession {
    /** How a read is to be asked for. */
    public enum Way {
        /** Caches may answer. */
        CACHED,
        /** Caches have to ask the origin whether what they hold is still right. */
        REVALIDATE,
        /** The same, and the answer is to bring a new filter. */
        REVALIDATE_AND_REFRESH
    }

    /** Whether what came may be used. */
    public enum Verdict {
        TAKE,
        /** It is older than what the session has seen or written: to be asked for once more. */
        REVALIDATE
    }

    /** A version that was seen or written, of which a cache may hold an older one. */
    private record Known(long version, boolean written) {}

    private final FreshnessSettings settings;
    private final LinkedHashMap<Long, Known> known = new LinkedHashMap<>(16, 0.75f, true);

    /** When keys were asked for at the origin, at or after the filter: they are fresh. */
    private final Map<Long, Long> revalidatedAt = new HashMap<>();

    /** Keys that were forgotten: what was seen of them is not known any more. */
    private final byte[] forgotten = new byte[FilterShape.ONE_ROUND_TRIP.bytes()];

    private FlatFilter filter;
    private long filterAskedAtMillis = Long.MIN_VALUE;

    public FreshnessSession(FreshnessSettings settings) {
        this.settings = settings;
    }

    /**
     * A new filter is here.
     *
     * @param askedAtMillis when it was asked for; it is at least as new as that
     */
    public void refresh(FlatFilter fresh, long askedAtMillis) {
        if (askedAtMillis < filterAskedAtMillis) {
            return;
        }
        filter = fresh;
        filterAskedAtMillis = askedAtMillis;
        // What was revalidated after the new filter was asked for is at least as new as it.
        revalidatedAt.values().removeIf(at -> at < askedAtMillis);
    }

    /** Whether a filter is here that is not older than Delta. */
    public boolean isFresh(long nowMillis) {
        return filter != null && nowMillis - filterAskedAtMillis < settings.refreshMillis();
    }

    /** How to ask for a key now. */
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

    /** What is to be done with an answer that may come from a cache. */
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
     * An answer came from the origin: it is fresh until the next filter.
     *
     * @param askedAtMillis when it was asked for
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

    /** The session wrote a key: caches that it does not know of may hold what was before. */
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
