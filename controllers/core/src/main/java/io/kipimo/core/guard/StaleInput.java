package io.kipimo.core.guard;

/** Holds on a measurement that is older than {@code maximumAgeMillis}. */
public record StaleInput<S>(long maximumAgeMillis, Governor<S> inner) implements Governor<S> {
    @Override
    public Outcome<S> decide(S state, Situation now) {
        return isStale(now.asOfMillis(), maximumAgeMillis, now.nowMillis())
                ? Outcome.hold(state, now.inForce(), Reason.HELD_STALE)
                : inner.decide(state, now);
    }

    /** Whether what was true at {@code asOfMillis} is too old to act on. */
    public static boolean isStale(long asOfMillis, long maximumAgeMillis, long nowMillis) {
        return nowMillis - asOfMillis > maximumAgeMillis;
    }
}
