package io.kipimo.core.stale;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Decides what one client may read from caches (Quaestor, sec. 3.1 to 3.3). The age of its filter
 * gives Delta-atomicity (Theorem 1). Versions give monotonic reads and reads of its own writes
 * within the session. For one thread; times are milliseconds of any one monotonic clock, except
 * times of evaluation, which are those of {@link RecentKeys}.
 *
 * <p>Steps of a read: {@link #decide}, the request, {@link #judge}, after {@link #isProven} where
 * it was {@link Way#PROVEN}. On {@link Verdict#REVALIDATE}, or without proof, the client repeats
 * the request past the caches and calls {@link #revalidated}. The origin must never lower the
 * version of a key.
 *
 * <p>Several cached copies may have one key, such as variants of an address. Versions and the
 * filter are asked by key; that a copy was revalidated holds for that copy only.
 */
public final class FreshnessSession {
    /** How to request a key. */
    public enum Way {
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
    public enum Verdict {
        TAKE,
        /** It is older than a version that the session has read or written: request it again. */
        REVALIDATE
    }

    /**
     * A version that the session has read or written. A cache may hold an older one.
     *
     * @param writtenMillis when the session wrote it and has not revalidated it since
     */
    private record Known(long version, OptionalLong writtenMillis) {}

    private final FreshnessSettings settings;
    private final LinkedHashMap<Long, Known> known = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * Copies requested from the origin since the filter was requested, with that time: they are
     * fresh. As many as keys are remembered, since there may be no new filter for long.
     */
    private final Map<Long, Long> revalidatedAt = new LinkedHashMap<>();

    /** Keys whose versions were dropped for lack of space. */
    private final ForgottenKeys forgotten;

    private FlatFilter filter;
    private RecentKeys recent = RecentKeys.NONE;
    private long filterAskedAtMillis = Long.MIN_VALUE;
    private long latestMillis = Long.MIN_VALUE;
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
    public Way decide(String key, long nowMillis) {
        return decide(key, key, nowMillis);
    }

    /**
     * How to request a copy of a key now.
     *
     * @param copy its name, for example its address
     */
    public Way decide(String key, String copy, long nowMillis) {
        latestMillis = Math.max(latestMillis, nowMillis);
        if (!isFresh(nowMillis)) {
            return Way.REVALIDATE_AND_REFRESH;
        }
        long hash = KeyHash.of(key);
        Known seen = known.get(hash);
        Long revalidated = revalidatedAt.get(KeyHash.of(copy));
        if (isOwnWrite(seen)) {
            return revalidated != null && revalidated > seen.writtenMillis().getAsLong()
                    ? Way.CACHED
                    : Way.REVALIDATE;
        }
        // Without its version a cache's older copy would pass for the revalidated one.
        if (revalidated != null && seen != null) {
            return Way.CACHED;
        }
        if (seen == null && forgotten.mightContain(hash, latestMillis)) {
            return Way.REVALIDATE;
        }
        if (!filter.mightContain(hash)) {
            return Way.CACHED;
        }
        return recent.windows().isEmpty() ? Way.REVALIDATE : Way.PROVEN;
    }

    /**
     * Records when an answer says that its evaluation began. One that is later than now, by the
     * filter's clock, shows that a clock is wrong; then no copy is proven until those that it may
     * have marked have expired.
     *
     * @param evaluatedMillis 0 if it is not known
     */
    public void received(long evaluatedMillis, long nowMillis) {
        if (!recent.windows().isEmpty()) {
            long filterClock =
                    recent.windows().get(0).sinceMillis() + nowMillis - filterAskedAtMillis;
            if (evaluatedMillis > filterClock + RecentKeys.CLOCK_ERROR_MILLIS) {
                clockErrors++;
                distrustedUntilMillis = nowMillis + settings.longestTtlMillis();
            }
        }
    }

    /** Number of answers whose evaluation began later than it can have. */
    public long clockErrors() {
        return clockErrors;
    }

    /**
     * Whether a copy of a key in the filter was evaluated after the key's last change, so it is as
     * new as the filter.
     *
     * @param evaluatedMillis when the origin began to evaluate it, or before; 0 if it is not known
     */
    public boolean isProven(String key, long evaluatedMillis, long nowMillis) {
        return evaluatedMillis > 0
                && (clockErrors == 0 || nowMillis > distrustedUntilMillis)
                && evaluatedMillis >= recent.provenSinceMillis(KeyHash.of(key));
    }

    /** Whether an answer that may come from a cache is usable. */
    public Verdict judge(String key, long version) {
        long hash = KeyHash.of(key);
        Known seen = known.get(hash);
        if (seen != null && version < seen.version()) {
            return Verdict.REVALIDATE;
        }
        remember(
                hash,
                new Known(version, seen == null ? OptionalLong.empty() : seen.writtenMillis()));
        return Verdict.TAKE;
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
        Known seen = known.get(hash);
        if (seen == null || version >= seen.version()) {
            // Without versions nothing tells whether another copy is as new.
            boolean staysWritten = version == 0 && !key.equals(copy) && isOwnWrite(seen);
            remember(
                    hash,
                    new Known(version, staysWritten ? seen.writtenMillis() : OptionalLong.empty()));
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

    /** Records a write of the session. Caches may still hold the version before it. */
    public void wrote(String key, long version) {
        long hash = KeyHash.of(key);
        Known seen = known.get(hash);
        long newest = seen == null ? version : Math.max(version, seen.version());
        remember(hash, new Known(newest, OptionalLong.of(latestMillis)));
    }

    /** The version before a write is in no cache any more once the longest time to live is over. */
    private boolean isOwnWrite(Known seen) {
        return seen != null
                && seen.writtenMillis().isPresent()
                && latestMillis - seen.writtenMillis().getAsLong() <= settings.longestTtlMillis();
    }

    private void remember(long hash, Known version) {
        known.put(hash, version);
        if (known.size() > settings.rememberedKeys()) {
            Iterator<Long> oldest = known.keySet().iterator();
            long gone = oldest.next();
            oldest.remove();
            forgotten.add(gone, latestMillis);
        }
    }
}
