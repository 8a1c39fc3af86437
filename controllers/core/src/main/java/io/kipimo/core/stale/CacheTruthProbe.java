package io.kipimo.core.stale;

import io.kipimo.core.stale.CacheLook.Held;
import io.kipimo.core.stale.CacheLook.Read;
import io.kipimo.core.stale.KeyTruth.Freshness;
import io.kipimo.schemas.caching.CacheLink;
import io.kipimo.schemas.caching.CacheTruth;
import io.kipimo.schemas.caching.LinkTruth;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Finds out, from looks at sampled keys of one table, how fresh reads through caches are, and which link loses changes.
 * It is a black-box check in the manner of Meta's Polaris ("Cache made consistent", 2022): it knows what the origin
 * showed and when, not how caches work. For one thread.
 *
 * <p>The probe looks at a written key soon after the write, and again after each of the times within which reads are to
 * be fresh. It looks at a key through one link only, the client or one shared cache, since a client that revalidates a
 * key renews the shared cache for all. It tests purges and the filter only where it has seen a cache hold a version
 * that the origin has replaced, and that the cache may still serve.
 */
public final class CacheTruthProbe {

    /**
     * Settings of a probe: the links and keys that it watches, and the freshness that it tests.
     *
     * @param withinMillis times within which reads are to be fresh, ascending, each above 0
     * @param sharedCaches number of shared caches, at least 0
     * @param isPurged whether stale entries are purged from shared caches; otherwise a shared cache without a filter
     *     may serve an entry until it expires, and only expired entries count as stale
     * @param mostKeys most keys that are watched, at least 1
     */
    public record Watching(List<Long> withinMillis, int sharedCaches, boolean isPurged, int mostKeys) {
        /** @throws IllegalArgumentException if a value is out of range */
        public Watching {
            withinMillis = withinMillis.stream().distinct().sorted().toList();
            int most = CacheTruth.MOST_LINKS / CacheLink.values().length;
            if (withinMillis.isEmpty()
                    || withinMillis.size() > most
                    || withinMillis.get(0) < 1
                    || withinMillis.get(withinMillis.size() - 1) > 86_400_000) {
                throw new IllegalArgumentException(
                        "within is " + withinMillis + " ms; allowed: 1 to " + most + " times of at most a day");
            }
            if (mostKeys < 1 || mostKeys > 1_000_000) {
                throw new IllegalArgumentException("watched keys are " + mostKeys + "; allowed: 1..1000000");
            }
        }
    }

    /** Number of panes in the last hour. Counts of the last hour may lack at most one of them. */
    private static final int PANES = 60;

    private static final long PANE_MILLIS = 60_000;

    /** Factor on the time that a look tests, since the look must come after that time. */
    private static final double LATER = 1.1;

    private static final int IDLE = -1;

    /** A key with its next look. Look 0 is the first one; each further look tests one of the times, in their order. */
    private static final class WatchedKey {
        final KeyTruth truth = new KeyTruth();
        int look = IDLE;
        long dueMillis;
        long firstMillis;
        boolean isLookedAt;
    }

    private static final class FreshnessCount {
        long fresh;
        long stale;
        long unknown;
        long lost;
        long provenMillis;

        void add(FreshnessCount other) {
            fresh += other.fresh;
            stale += other.stale;
            unknown += other.unknown;
            lost += other.lost;
            provenMillis = Math.max(provenMillis, other.provenMillis);
        }
    }

    private record TruthRow(CacheLink link, long withinMillis) {}

    private record TruthPane(long startMillis, Map<TruthRow, FreshnessCount> counts) {}

    private final Watching settings;
    private final Map<String, WatchedKey> keys = new LinkedHashMap<>(16, 0.75f, true);
    private final Deque<TruthPane> panes = new ArrayDeque<>();
    private final Map<TruthRow, FreshnessCount> total;
    private long skipped;

    public CacheTruthProbe(Watching settings) {
        this.settings = settings;
        this.total = counts();
    }

    private Map<TruthRow, FreshnessCount> counts() {
        Map<TruthRow, FreshnessCount> counts = new LinkedHashMap<>();
        for (CacheLink link : CacheLink.values()) {
            boolean isThere =
                    switch (link) {
                        case CLIENT, FILTER -> true;
                        case SHARED_CACHE -> settings.sharedCaches() > 0;
                        case PURGE -> settings.sharedCaches() > 0 && settings.isPurged();
                    };
            for (long within : isThere ? settings.withinMillis() : List.<Long>of()) {
                counts.put(new TruthRow(link, within), new FreshnessCount());
            }
        }
        return counts;
    }

    /** Records that a write of a key was heard of. The key is watched if there is room. */
    public void written(String key, long nowMillis) {
        WatchedKey watched = keys.get(key);
        if (watched == null) {
            if (keys.size() >= settings.mostKeys() && !forgetOne()) {
                skipped++;
                return;
            }
            watched = new WatchedKey();
            keys.put(key, watched);
        }
        if (watched.look == IDLE) {
            watched.look = 0;
            watched.dueMillis = nowMillis;
        }
    }

    /** Forgets the key, among those without further looks, that was written or looked at longest ago. */
    private boolean forgetOne() {
        Iterator<WatchedKey> all = keys.values().iterator();
        while (all.hasNext()) {
            if (all.next().look == IDLE) {
                all.remove();
                return true;
            }
        }
        return false;
    }

    public boolean isWatched(String key) {
        return keys.containsKey(key);
    }

    /** Number of writes whose keys found no room. */
    public long skipped() {
        return skipped;
    }

    /** Keys to look at now; {@link #looked} must follow for each. */
    public List<String> due(long nowMillis, int most) {
        List<String> due = new ArrayList<>();
        for (Map.Entry<String, WatchedKey> key : keys.entrySet()) {
            WatchedKey watched = key.getValue();
            if (due.size() < most && watched.look != IDLE && !watched.isLookedAt && watched.dueMillis <= nowMillis) {
                due.add(key.getKey());
                watched.isLookedAt = true;
            }
        }
        return due;
    }

    /**
     * Chooses the link through which a key is looked at: a client for half of the keys, one of the shared caches for
     * the others. Without shared caches it is always a client.
     *
     * @return the number of the shared cache; empty: the client
     */
    public OptionalInt sharedCache(String key) {
        long hash = KeyHash.of(key);
        return settings.sharedCaches() == 0 || (hash & 1) == 0
                ? OptionalInt.empty()
                : OptionalInt.of((int) Long.remainderUnsigned(hash >>> 1, settings.sharedCaches()));
    }

    /** Evaluates the look at a key that was due. */
    public void looked(String key, CacheLook look, long nowMillis) {
        WatchedKey watched = keys.get(key);
        if (watched == null || !watched.isLookedAt) {
            return;
        }
        watched.isLookedAt = false;
        if (watched.look == 0) {
            watched.firstMillis = nowMillis;
        }
        boolean isLast = watched.look == settings.withinMillis().size();
        if (!isLast) {
            long within = settings.withinMillis().get(watched.look);
            watched.dueMillis = watched.firstMillis + (long) Math.ceil(LATER * within);
        }
        watched.look = isLast ? IDLE : watched.look + 1;
        look.origin().ifPresent(o -> watched.truth.origin(o.version(), o.beginMillis(), o.endMillis()));
        boolean isShared = sharedCache(key).isPresent();
        for (long within : settings.withinMillis()) {
            judge(watched.truth, isShared, look, within, nowMillis);
        }
        look.read()
                .filter(read -> read.usableUntilMillis() > read.endMillis())
                .ifPresent(read -> watched.truth.copy(read.version(), read.usableUntilMillis()));
    }

    private void judge(KeyTruth truth, boolean isShared, CacheLook look, long within, long nowMillis) {
        CacheLink link = isShared ? CacheLink.SHARED_CACHE : CacheLink.CLIENT;
        Freshness freshness = freshness(truth, look.read(), within, nowMillis);
        CacheLink loser = isShared ? atSharedCache(look) : atClient(look);
        boolean isPromised = loser != CacheLink.PURGE || settings.isPurged();
        if (freshness == Freshness.STALE && !isPromised) {
            freshness = Freshness.UNTESTED;
        }
        count(link, within, freshness, loser == link, nowMillis);
        if (freshness == Freshness.STALE && loser != link) {
            count(loser, within, freshness, true, nowMillis);
            return;
        }
        boolean isPurgeTested = isShared
                && settings.isPurged()
                && freshness == Freshness.FRESH
                && isReplaced(truth, look.read().get().beginMillis(), within);
        if (isPurgeTested) {
            count(CacheLink.PURGE, within, Freshness.FRESH, false, nowMillis);
        }
        long heldMillis = look.held().map(Held::atMillis).orElse(nowMillis);
        if (isReplaced(truth, heldMillis, within)) {
            Freshness filter = look.held()
                    .map(held -> held.isHeld() ? Freshness.FRESH : Freshness.STALE)
                    .orElse(Freshness.UNKNOWN);
            count(CacheLink.FILTER, within, filter, true, nowMillis);
        }
    }

    private static Freshness freshness(KeyTruth truth, Optional<Read> read, long within, long nowMillis) {
        if (read.isPresent()) {
            return truth.judge(read.get().version(), read.get().beginMillis(), within);
        }
        return truth.judge(0, nowMillis, within) == Freshness.UNTESTED ? Freshness.UNTESTED : Freshness.UNKNOWN;
    }

    /**
     * Returns the link that lost the change: the purge if the entry has not expired, since it should have been purged;
     * otherwise the shared cache.
     */
    private static CacheLink atSharedCache(CacheLook look) {
        boolean isUsable =
                look.read().filter(r -> r.usableUntilMillis() > r.beginMillis()).isPresent();
        return isUsable ? CacheLink.PURGE : CacheLink.SHARED_CACHE;
    }

    private static CacheLink atClient(CacheLook look) {
        if (look.read().filter(Read::isPastCaches).isPresent()) {
            return CacheLink.SHARED_CACHE;
        }
        boolean lacks = look.held().filter(held -> !held.isHeld()).isPresent();
        return lacks ? CacheLink.FILTER : CacheLink.CLIENT;
    }

    /** Whether a read of a version that a cache may still hold would be stale. */
    private static boolean isReplaced(KeyTruth truth, long atMillis, long within) {
        OptionalLong copy = truth.replacedCopy(atMillis);
        return copy.isPresent() && truth.judge(copy.getAsLong(), atMillis, within) == Freshness.STALE;
    }

    private void count(CacheLink link, long within, Freshness freshness, boolean isLost, long nowMillis) {
        TruthRow row = new TruthRow(link, within);
        if (freshness == Freshness.UNTESTED || !total.containsKey(row)) {
            return;
        }
        FreshnessCount one = new FreshnessCount();
        switch (freshness) {
            case FRESH -> one.fresh = 1;
            case STALE -> one.stale = 1;
            default -> one.unknown = 1;
        }
        one.lost = isLost ? one.stale : 0;
        one.provenMillis = freshness == Freshness.UNKNOWN ? 0 : nowMillis;
        total.get(row).add(one);
        if (panes.isEmpty() || panes.getLast().startMillis() <= nowMillis - PANE_MILLIS) {
            panes.addLast(new TruthPane(nowMillis, counts()));
        }
        panes.getLast().counts().get(row).add(one);
    }

    /** Returns when the counts of {@link #lastHour} begin, epoch milliseconds. */
    public long sinceMillis(long nowMillis) {
        panes.removeIf(pane -> pane.startMillis() <= nowMillis - PANES * PANE_MILLIS);
        return panes.isEmpty() ? nowMillis : panes.getFirst().startMillis();
    }

    /** Findings of the looks of the last hour, also for links without any look. */
    public List<LinkTruth> lastHour(long nowMillis) {
        long unused = sinceMillis(nowMillis);
        Map<TruthRow, FreshnessCount> sums = counts();
        for (TruthPane pane : panes) {
            pane.counts().forEach((row, count) -> sums.get(row).add(count));
        }
        return truths(sums);
    }

    /** Returns the findings of all looks since the start. */
    public List<LinkTruth> sinceStart() {
        return truths(total);
    }

    private static List<LinkTruth> truths(Map<TruthRow, FreshnessCount> counts) {
        List<LinkTruth> truths = new ArrayList<>();
        counts.forEach((row, c) -> truths.add(
                new LinkTruth(row.link(), row.withinMillis(), c.fresh, c.stale, c.unknown, c.lost, c.provenMillis)));
        return truths;
    }
}
