package io.kipimo.core.stale;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Decides what one client may read from caches (Quaestor, sec. 3.1 to 3.3). The age of its filter gives Delta-atomicity
 * (Theorem 1). Versions give monotonic reads and reads of its own writes within the session; see {@link Consistency}.
 * For one thread. Times are milliseconds of any one monotonic clock, except times of evaluation, which are those of
 * {@link RecentKeys}.
 *
 * <p>A read takes these steps: {@link #decide}, the request, {@link #received}, and {@link #judge}. If the decision was
 * {@link RequestWay#PROVEN}, the client calls {@link #isProven} before {@link #judge}. If the copy is not proven, or on
 * {@link FreshnessVerdict#REVALIDATE}, the client repeats the request past the caches and calls {@link #revalidated}.
 * The origin must never lower the version of a key.
 *
 * <p>Several addresses may have one key, and several copies one address, see {@link ReadName}. The session looks up the
 * filter and its own writes by key, and the versions that it has read by address. A revalidation counts for its own
 * copy only.
 */
public final class FreshnessSession {
    /** Way in which the client requests a key. */
    public enum RequestWay {
        /** Caches may answer. */
        CACHED,
        /** Caches may answer, but the client uses their copy only if {@link #isProven} accepts it. */
        PROVEN,
        /** Caches must revalidate their content at the origin. */
        REVALIDATE,
        /** Like REVALIDATE, and the answer must bring a new filter. */
        REVALIDATE_AND_REFRESH
    }

    /** Verdict on an answer: whether it may be used. */
    public enum FreshnessVerdict {
        TAKE,
        /** The answer is older than a version that the session has read or written, so the client requests it again. */
        REVALIDATE
    }

    /**
     * Name of the content that a read asks for. Versions of different addresses need not be of one order, even if they
     * have one key.
     *
     * @param key key of the record or query, as in the filter
     * @param address address of the content, as its user sees it
     * @param copy copy of the address, such as a variant
     */
    public record ReadName(String key, String address, String copy) {
        /** Returns the name of the only copy of a key. */
        public static ReadName of(String key) {
            return new ReadName(key, key, key);
        }

        /** Whether this copy is the only one of its address. */
        private boolean isOnlyCopy() {
            return copy.equals(address);
        }
    }

    /**
     * Versions of an address that the session has read, or of a key that it has written. A cache may hold older
     * versions.
     *
     * @param read newest version that the session has read; 0: none
     * @param written newest version that the session has written; 0: none
     * @param writtenMillis when the session wrote it
     * @param revalidatedMillis when the session requested an answer of the origin that shows all earlier writes
     * @param isPartial whether newer versions may have been dropped for lack of space
     */
    private record KnownVersions(
            long read, long written, OptionalLong writtenMillis, OptionalLong revalidatedMillis, boolean isPartial) {
        static KnownVersions nothing(boolean isPartial) {
            return new KnownVersions(0, 0, OptionalLong.empty(), OptionalLong.empty(), isPartial);
        }
    }

    /**
     * Versions that the session knows of an address and of its key.
     *
     * @param isKnown whether the address is remembered; it is forgotten before its key
     */
    private record KnownRead(KnownVersions address, KnownVersions key, boolean isKnown) {
        /** Whether an answer that was requested at this time may lack a write of the session to the key. */
        boolean mayLackWrite(OptionalLong requestedMillis) {
            return key.writtenMillis().isPresent()
                    && requestedMillis.orElse(Long.MIN_VALUE)
                            <= key.writtenMillis().getAsLong();
        }

        boolean isPartial() {
            return address.isPartial() || (key.isPartial() && !isKnown);
        }
    }

    private final FreshnessSettings settings;
    private final LinkedHashMap<Long, KnownVersions> known = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * Times at which the session requested copies from the origin, if that was after it requested the filter: such
     * copies are fresh. The map holds as many copies as there are remembered keys, because it may take long until a new
     * filter comes.
     */
    private final Map<Long, Long> revalidatedAt = new LinkedHashMap<>();

    /** Keys whose versions were dropped for lack of space. */
    private final ForgottenKeys forgotten;

    private FlatFilter filter;
    private RecentKeys recent = RecentKeys.NONE;
    private long filterAskedAtMillis = Long.MIN_VALUE;
    private long latestMillis = Long.MIN_VALUE;

    /** Time before which everything that the session has read was evaluated. */
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
     * @param freshRecent keys that became stale lately, not older than the filter
     * @param askedAtMillis when the filter was requested; its content is at least as new
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

    /** Decides how to request the only copy of a key now. */
    public RequestWay decide(String key, long nowMillis) {
        return decide(ReadName.of(key), Consistency.SESSION, nowMillis);
    }

    /** Decides how to request a copy now. */
    public RequestWay decide(ReadName name, Consistency level, long nowMillis) {
        latestMillis = Math.max(latestMillis, nowMillis);
        if (level == Consistency.STRONG) {
            return RequestWay.REVALIDATE;
        }
        if (!isFresh(nowMillis)) {
            return RequestWay.REVALIDATE_AND_REFRESH;
        }
        RequestWay way = decide(name, level);
        boolean hasHorizon = level == Consistency.CAUSAL && horizonMillis > Long.MIN_VALUE;
        return way == RequestWay.CACHED && hasHorizon ? ifProven() : way;
    }

    private RequestWay decide(ReadName name, Consistency level) {
        KnownRead seen = seen(name);
        Long revalidated = revalidatedAt.get(KeyHash.of(name.copy()));
        if (level.seesOwnWrites() && isOwnWrite(seen)) {
            return revalidated != null
                            && revalidated > seen.key().writtenMillis().getAsLong()
                    ? RequestWay.CACHED
                    : RequestWay.REVALIDATE;
        }
        if (level != Consistency.DELTA && seen.isPartial()) {
            return RequestWay.REVALIDATE;
        }
        // Without its version a cache's older copy would pass for the revalidated one.
        if (revalidated != null && known.containsKey(KeyHash.of(name.address()))) {
            return RequestWay.CACHED;
        }
        return filter.mightContain(KeyHash.of(name.key())) ? ifProven() : RequestWay.CACHED;
    }

    private RequestWay ifProven() {
        return recent.windows().isEmpty() ? RequestWay.REVALIDATE : RequestWay.PROVEN;
    }

    /**
     * Checks when the evaluation of an answer began, by its own statement. A time that is later than now, by the
     * filter's clock, shows that a clock is wrong. Then no copy is proven until all copies that the wrong clock may
     * have marked have expired.
     *
     * @param evaluatedMillis 0 if it is not known
     */
    public void received(long evaluatedMillis, long nowMillis) {
        latestMillis = Math.max(latestMillis, nowMillis);
        OptionalLong clock = filterClock(nowMillis);
        if (clock.isPresent() && evaluatedMillis > clock.getAsLong() + RecentKeys.CLOCK_ERROR_MILLIS) {
            clockErrors++;
            distrustedUntilMillis = nowMillis + settings.longestTtlMillis();
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

    /**
     * Whether a copy of a record that came inside a query result is current, judged by the result. A read of the result
     * is not reported as a read of its records, so the filter may lack a changed record, but then it has the result. A
     * revalidation of the result proves nothing about the record, because the newer result may lack the record.
     *
     * @param evaluatedMillis when the origin began to evaluate the result; 0 if it is not known
     */
    public boolean isCurrentIn(String resultKey, long evaluatedMillis, long nowMillis) {
        return filter != null
                && (!filter.mightContain(KeyHash.of(resultKey))
                        || isProven(resultKey, evaluatedMillis, Consistency.DELTA, nowMillis));
    }

    /**
     * Returns the earliest time of evaluation that is after everything that the session has read, epoch milliseconds.
     */
    private long causalSinceMillis() {
        if (horizonMillis == Long.MIN_VALUE) {
            return horizonMillis;
        }
        OptionalLong clock = filterClock(horizonMillis);
        return clock.isEmpty() ? Long.MAX_VALUE : clock.getAsLong() + RecentKeys.CLOCK_ERROR_MILLIS;
    }

    /**
     * Converts a time of the session's clock to the filter's clock, epoch milliseconds. The outcome is the right time
     * or a later one. The filter's clock agrees with those of origins; a client's own clock may be wrong.
     *
     * @return empty without windows
     */
    public OptionalLong filterClock(long millis) {
        return recent.windows().isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(recent.windows().get(0).sinceMillis() + millis - filterAskedAtMillis);
    }

    /** Whether an answer that may come from a cache is usable for the default level. */
    public FreshnessVerdict judge(String key, long version) {
        return judge(ReadName.of(key), version, Consistency.SESSION);
    }

    /** Whether an answer that may come from a cache is usable. */
    public FreshnessVerdict judge(ReadName name, long version, Consistency level) {
        KnownRead seen = seen(name);
        // A stale key's copy that was not proven is fresh if it is the one that was revalidated.
        boolean isMonotonic = level.isMonotonic() || filter == null || filter.mightContain(KeyHash.of(name.key()));
        if ((isMonotonic && version < seen.address().read())
                || (level.seesOwnWrites() && version < seen.address().written())
                || (level != Consistency.DELTA && seen.isPartial())) {
            return FreshnessVerdict.REVALIDATE;
        }
        KnownVersions before = seen.address();
        read(name, version, before, before.written(), before.revalidatedMillis(), seen.isPartial());
        return FreshnessVerdict.TAKE;
    }

    /** Records an answer of the origin to a request for the only copy of a key. */
    public void revalidated(String key, long version, long askedAtMillis) {
        revalidated(ReadName.of(key), version, askedAtMillis);
    }

    /**
     * Records an answer of the origin, which is fresh until the next filter.
     *
     * @param askedAtMillis when the answer was requested
     */
    public void revalidated(ReadName name, long version, long askedAtMillis) {
        KnownRead seen = seen(name);
        KnownVersions before = seen.address();
        if (version >= Math.max(before.read(), before.written())) {
            // Without versions nothing tells whether another copy is as new.
            boolean isShown = version > 0 || name.isOnlyCopy();
            OptionalLong asked = OptionalLong.of(
                    Math.max(askedAtMillis, before.revalidatedMillis().orElse(askedAtMillis)));
            // What others of its key had written: the first version that shows it is the least from now on.
            boolean showsWrite = seen.mayLackWrite(before.revalidatedMillis()) && !seen.mayLackWrite(asked);
            read(
                    name,
                    version,
                    before,
                    seen.isPartial() || showsWrite ? version : before.written(),
                    isShown ? asked : before.revalidatedMillis(),
                    false);
        }
        if (askedAtMillis >= filterAskedAtMillis) {
            revalidatedAt.merge(KeyHash.of(name.copy()), askedAtMillis, Math::max);
            if (revalidatedAt.size() > settings.rememberedKeys()) {
                Iterator<Long> oldest = revalidatedAt.keySet().iterator();
                oldest.next();
                oldest.remove();
            }
        }
    }

    /** Records a write of the only copy of a key. */
    public void wrote(String key, long version, long nowMillis) {
        wrote(ReadName.of(key), version, nowMillis);
    }

    /**
     * Records a write of the session. Caches may still hold the version before it.
     *
     * @param version version of the address; 0: not known
     * @param nowMillis a time after the write; answers that were requested before it may not show the write
     */
    public void wrote(ReadName name, long version, long nowMillis) {
        latestMillis = Math.max(latestMillis, nowMillis);
        long address = KeyHash.of(name.address());
        if (version > 0) {
            KnownVersions seen = seen(address);
            remember(
                    address,
                    new KnownVersions(
                            seen.read(),
                            Math.max(version, seen.written()),
                            seen.writtenMillis(),
                            seen.revalidatedMillis(),
                            seen.isPartial()));
        }
        long key = KeyHash.of(name.key());
        KnownVersions seen = seen(key);
        remember(
                key,
                new KnownVersions(
                        seen.read(),
                        seen.written(),
                        OptionalLong.of(latestMillis),
                        seen.revalidatedMillis(),
                        seen.isPartial()));
    }

    /**
     * Records a version that the session takes. A version that is new to the session may depend on anything before it.
     */
    private void read(
            ReadName name,
            long version,
            KnownVersions seen,
            long written,
            OptionalLong revalidatedMillis,
            boolean isPartial) {
        if (version == 0 || version > seen.read()) {
            horizonMillis = latestMillis;
        }
        remember(
                KeyHash.of(name.address()),
                new KnownVersions(
                        Math.max(version, seen.read()), written, seen.writtenMillis(), revalidatedMillis, isPartial));
    }

    /**
     * Returns what is known of an address and of its key. It looks up the address before the key, so that the address
     * is the first to be forgotten.
     */
    private KnownRead seen(ReadName name) {
        long hash = KeyHash.of(name.address());
        KnownVersions address = seen(hash);
        KnownVersions key = name.key().equals(name.address()) ? address : seen(KeyHash.of(name.key()));
        return new KnownRead(address, key, known.containsKey(hash));
    }

    private KnownVersions seen(long hash) {
        KnownVersions seen = known.get(hash);
        return seen == null ? KnownVersions.nothing(forgotten.mightContain(hash, latestMillis)) : seen;
    }

    /**
     * Whether a cache's copy may lack the session's own write. Once the longest time to live is over, no cache holds
     * the version before the write any more.
     */
    private boolean isOwnWrite(KnownRead seen) {
        return seen.mayLackWrite(seen.address().revalidatedMillis())
                && latestMillis - seen.key().writtenMillis().getAsLong() <= settings.longestTtlMillis();
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
