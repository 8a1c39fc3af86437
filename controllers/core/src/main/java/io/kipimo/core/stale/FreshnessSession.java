package io.kipimo.core.stale;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Decides what one client may read from caches (Quaestor, sec. 3.1 to 3.3). The age of its filter gives Delta-atomicity
 * (Theorem 1). Versions give monotonic reads and reads of its own writes within the session; see {@link Consistency}.
 * For one thread; times are milliseconds of any one monotonic clock, except times of evaluation, which are those of
 * {@link RecentKeys}.
 *
 * <p>Steps of a read: {@link #decide}, the request, {@link #received}, {@link #judge}, after {@link #isProven} where it
 * was {@link RequestWay#PROVEN}. On {@link FreshnessVerdict#REVALIDATE}, or without proof, the client repeats the
 * request past the caches and calls {@link #revalidated}. The origin must never lower the version of a key.
 *
 * <p>Several cached copies may have one key, such as variants of an address. Versions and the filter are looked up by
 * key, but a revalidation counts for its own copy only.
 */
public final class FreshnessSession {
    /** How to request a key. */
    public enum RequestWay {
        /** Caches may answer. */
        CACHED,
        /** Caches may answer if {@link #isProven} says so of their copy. */
        PROVEN,
        /** Caches must revalidate their content at the origin. */
        REVALIDATE,
        /** Like REVALIDATE, and the answer must bring a new filter. */
        REVALIDATE_AND_REFRESH
    }

    /** Whether an answer may be used. */
    public enum FreshnessVerdict {
        TAKE,
        /** It is older than a version that the session has read or written: request it again. */
        REVALIDATE
    }

    /**
     * Versions of a key that the session has read or written. A cache may hold older ones.
     *
     * @param read the newest that it has read; 0: none
     * @param written the newest that it has written; 0: none
     * @param writtenMillis when the session wrote it and has not revalidated it since
     * @param isPartial whether newer ones may have been dropped for lack of space
     */
    private record KnownVersions(long read, long written, OptionalLong writtenMillis, boolean isPartial) {
        static KnownVersions nothing(boolean isPartial) {
            return new KnownVersions(0, 0, OptionalLong.empty(), isPartial);
        }
    }

    private final FreshnessSettings settings;
    private final LinkedHashMap<Long, KnownVersions> known = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * Copies requested from the origin since the filter was requested, with that time: they are fresh. As many as there
     * are remembered keys, because it may take long until a new filter comes.
     */
    private final Map<Long, Long> revalidatedAt = new LinkedHashMap<>();

    /** Keys whose versions were dropped for lack of space. */
    private final ForgottenKeys forgotten;

    private FlatFilter filter;
    private RecentKeys recent = RecentKeys.NONE;
    private long filterAskedAtMillis = Long.MIN_VALUE;
    private long latestMillis = Long.MIN_VALUE;

    /** Whatever the session has read was evaluated before. */
    private long horizonMillis = Long.MIN_VALUE;

    private long distrustedUntilMillis;
    private long clockErrors;

    public FreshnessSession(FreshnessSettings settings) {
        this.settings = settings;
        this.forgotten = new ForgottenKeys(settings.longestTtlMillis());
    }

    /** Replaces the filter by one that says nothing about when keys became stale. */
    public void refresh(FlatFilter fresh, long askedAtMillis) {
        refresh(fresh, RecentKeys.NONE, askedAtMillis);
    }

    /**
     * Replaces the filter.
     *
     * @param freshRecent not older than the filter
     * @param askedAtMillis when it was requested; its content is at least as new
     */
    public void refresh(FlatFilter fresh, RecentKeys freshRecent, long askedAtMillis) {
        if (askedAtMillis < filterAskedAtMillis) {
            return;
        }
        filter = fresh;
        recent = freshRecent;
        filterAskedAtMillis = askedAtMillis;
        // Copies revalidated since the new filter was requested are at least as new as the filter.
        revalidatedAt.values().removeIf(at -> at < askedAtMillis);
    }

    /** Whether there is a filter not older than Delta. */
    public boolean isFresh(long nowMillis) {
        return filter != null && nowMillis - filterAskedAtMillis < settings.refreshMillis();
    }

    /** How to request the only copy of a key now. */
    public RequestWay decide(String key, long nowMillis) {
        return decide(key, key, nowMillis);
    }

    /** How to request a copy of a key now, for the default level. */
    public RequestWay decide(String key, String copy, long nowMillis) {
        return decide(key, copy, Consistency.SESSION, nowMillis);
    }

    /**
     * How to request a copy of a key now.
     *
     * @param copy its name, for example its address
     */
    public RequestWay decide(String key, String copy, Consistency level, long nowMillis) {
        latestMillis = Math.max(latestMillis, nowMillis);
        if (level == Consistency.STRONG) {
            return RequestWay.REVALIDATE;
        }
        if (!isFresh(nowMillis)) {
            return RequestWay.REVALIDATE_AND_REFRESH;
        }
        RequestWay way = decide(KeyHash.of(key), KeyHash.of(copy), level);
        boolean hasHorizon = level == Consistency.CAUSAL && horizonMillis > Long.MIN_VALUE;
        return way == RequestWay.CACHED && hasHorizon ? ifProven() : way;
    }

    private RequestWay decide(long hash, long copy, Consistency level) {
        KnownVersions seen = seen(hash);
        Long revalidated = revalidatedAt.get(copy);
        if (level.seesOwnWrites() && isOwnWrite(seen)) {
            return revalidated != null && revalidated > seen.writtenMillis().getAsLong()
                    ? RequestWay.CACHED
                    : RequestWay.REVALIDATE;
        }
        if (level != Consistency.DELTA && seen.isPartial()) {
            return RequestWay.REVALIDATE;
        }
        // Without its version a cache's older copy would pass for the revalidated one.
        if (revalidated != null && known.containsKey(hash)) {
            return RequestWay.CACHED;
        }
        return filter.mightContain(hash) ? ifProven() : RequestWay.CACHED;
    }

    private RequestWay ifProven() {
        return recent.windows().isEmpty() ? RequestWay.REVALIDATE : RequestWay.PROVEN;
    }

    /**
     * Records when an answer says that its evaluation began. A time of evaluation that is later than now, by the
     * filter's clock, shows that a clock is wrong. Then no copy is proven until those that it may have marked have
     * expired.
     *
     * @param evaluatedMillis 0 if it is not known
     */
    public void received(long evaluatedMillis, long nowMillis) {
        latestMillis = Math.max(latestMillis, nowMillis);
        if (!recent.windows().isEmpty()) {
            if (evaluatedMillis > filterClock(nowMillis) + RecentKeys.CLOCK_ERROR_MILLIS) {
                clockErrors++;
                distrustedUntilMillis = nowMillis + settings.longestTtlMillis();
            }
        }
    }

    /** Number of answers whose evaluation began later than is possible. */
    public long clockErrors() {
        return clockErrors;
    }

    /** Whether a copy is proven for the default level. */
    public boolean isProven(String key, long evaluatedMillis, long nowMillis) {
        return isProven(key, evaluatedMillis, Consistency.SESSION, nowMillis);
    }

    /**
     * Whether a copy is as new as the filter, because the filter lacks its key, or because it was evaluated after the
     * key's last change. For {@link Consistency#CAUSAL}, it must also have been evaluated after the session last read
     * something new.
     *
     * @param evaluatedMillis when the origin began to evaluate it, or before; 0 if it is not known
     */
    public boolean isProven(String key, long evaluatedMillis, Consistency level, long nowMillis) {
        long hash = KeyHash.of(key);
        boolean isStale = filter == null || filter.mightContain(hash);
        return evaluatedMillis > 0
                && (clockErrors == 0 || nowMillis > distrustedUntilMillis)
                && (!isStale || evaluatedMillis >= recent.provenSinceMillis(hash))
                && (level != Consistency.CAUSAL || evaluatedMillis >= causalSinceMillis());
    }

    /** The earliest time of evaluation after the horizon, epoch milliseconds. */
    private long causalSinceMillis() {
        if (horizonMillis == Long.MIN_VALUE) {
            return horizonMillis;
        }
        return recent.windows().isEmpty() ? Long.MAX_VALUE : filterClock(horizonMillis) + RecentKeys.CLOCK_ERROR_MILLIS;
    }

    /** The time of the filter's clock at a time of the session's, or later, epoch milliseconds. */
    private long filterClock(long millis) {
        return recent.windows().get(0).sinceMillis() + millis - filterAskedAtMillis;
    }

    /** Whether an answer that may come from a cache is usable for the default level. */
    public FreshnessVerdict judge(String key, long version) {
        return judge(key, version, Consistency.SESSION);
    }

    /** Whether an answer that may come from a cache is usable. */
    public FreshnessVerdict judge(String key, long version, Consistency level) {
        long hash = KeyHash.of(key);
        KnownVersions seen = seen(hash);
        // A stale key's copy that was not proven is fresh if it is the one that was revalidated.
        boolean isMonotonic = level.isMonotonic() || filter == null || filter.mightContain(hash);
        if ((isMonotonic && version < seen.read())
                || (level.seesOwnWrites() && version < seen.written())
                || (level != Consistency.DELTA && seen.isPartial())) {
            return FreshnessVerdict.REVALIDATE;
        }
        read(hash, version, seen, seen.written(), seen.writtenMillis(), seen.isPartial());
        return FreshnessVerdict.TAKE;
    }

    /** Records an answer of the origin to a request for the only copy of a key. */
    public void revalidated(String key, long version, long askedAtMillis) {
        revalidated(key, key, version, askedAtMillis);
    }

    /**
     * Records an answer of the origin, which is fresh until the next filter.
     *
     * @param askedAtMillis when it was requested
     */
    public void revalidated(String key, String copy, long version, long askedAtMillis) {
        long hash = KeyHash.of(key);
        KnownVersions seen = seen(hash);
        if (version >= Math.max(seen.read(), seen.written())) {
            // An answer that was asked for before the write ended may not show it. Without versions
            // nothing tells whether another copy is as new.
            boolean staysWritten = isOwnWrite(seen)
                    && (askedAtMillis <= seen.writtenMillis().getAsLong() || (version == 0 && !key.equals(copy)));
            read(
                    hash,
                    version,
                    seen,
                    seen.isPartial() ? version : seen.written(),
                    staysWritten ? seen.writtenMillis() : OptionalLong.empty(),
                    false);
        }
        if (askedAtMillis >= filterAskedAtMillis) {
            revalidatedAt.merge(KeyHash.of(copy), askedAtMillis, Math::max);
            if (revalidatedAt.size() > settings.rememberedKeys()) {
                Iterator<Long> oldest = revalidatedAt.keySet().iterator();
                oldest.next();
                oldest.remove();
            }
        }
    }

    /**
     * Records a write of the session. Caches may still hold the version before it.
     *
     * @param nowMillis after the write; what was requested before may not show it
     */
    public void wrote(String key, long version, long nowMillis) {
        latestMillis = Math.max(latestMillis, nowMillis);
        long hash = KeyHash.of(key);
        KnownVersions seen = seen(hash);
        remember(
                hash,
                new KnownVersions(
                        seen.read(),
                        Math.max(version, seen.written()),
                        OptionalLong.of(latestMillis),
                        seen.isPartial()));
    }

    /** Records a version that the session takes. One that is new to it may depend on anything. */
    private void read(
            long hash, long version, KnownVersions seen, long written, OptionalLong writtenMillis, boolean isPartial) {
        if (version == 0 || version > seen.read()) {
            horizonMillis = latestMillis;
        }
        remember(hash, new KnownVersions(Math.max(version, seen.read()), written, writtenMillis, isPartial));
    }

    private KnownVersions seen(long hash) {
        KnownVersions seen = known.get(hash);
        return seen == null ? KnownVersions.nothing(forgotten.mightContain(hash, latestMillis)) : seen;
    }

    /** The version before a write is in no cache any more once the longest time to live is over. */
    private boolean isOwnWrite(KnownVersions seen) {
        return seen.writtenMillis().isPresent()
                && latestMillis - seen.writtenMillis().getAsLong() <= settings.longestTtlMillis();
    }

    private void remember(long hash, KnownVersions version) {
        known.put(hash, version);
        if (known.size() > settings.rememberedKeys()) {
            Iterator<Long> oldest = known.keySet().iterator();
            long gone = oldest.next();
            oldest.remove();
            forgotten.add(gone, latestMillis);
        }
    }
}
