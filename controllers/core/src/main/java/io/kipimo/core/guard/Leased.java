package io.kipimo.core.guard;

/**
 * The state of an actuator: the value of the decision that it applied last, until that decision's lease ends.
 *
 * <p>A lease is measured by two clocks, and the earlier end counts: {@code validUntilMillis} by the wall clock, and the
 * lease's length since receipt by the monotonic clock. So neither a clock that is set back nor one that is behind
 * prolongs an old decision.
 *
 * @param epoch -1: no decision yet
 * @param validUntilMillis end of the lease by the wall clock, epoch milliseconds
 * @param takenAtMillis receipt by the monotonic clock, which is never set
 * @param leaseMillis length of the lease
 */
public record Leased<V>(
        long epoch, long sequence, V value, long validUntilMillis, long takenAtMillis, long leaseMillis) {
    /** How long an actuator keeps its start value while it awaits its first decision. Then its safe value applies. */
    public static final long START_LEASE_MILLIS = 60_000;

    /** Returns the state without a decision when none is awaited. */
    public static <V> Leased<V> none(V value) {
        return new Leased<>(-1, 0, value, 0, 0, 0);
    }

    /** Returns the state at the start, before any decision: the value applies for {@value #START_LEASE_MILLIS} ms. */
    public static <V> Leased<V> starting(V value, long wallMillis, long monotonicMillis) {
        return new Leased<>(-1, 0, value, wallMillis + START_LEASE_MILLIS, monotonicMillis, START_LEASE_MILLIS);
    }

    /** @param longestMillis longer leases are cut to this */
    public static <V> Leased<V> of(Lease lease, V value, long longestMillis, long monotonicMillis) {
        return new Leased<>(
                lease.epoch(),
                lease.sequence(),
                value,
                lease.validUntilMillis(),
                monotonicMillis,
                Math.min(lease.validUntilMillis() - lease.issuedAtMillis(), longestMillis));
    }

    /** Returns this lease with another value, as if no decision had been applied. */
    Leased<V> unapplied(V other) {
        return new Leased<>(-1, 0, other, validUntilMillis, takenAtMillis, leaseMillis);
    }

    /**
     * Judges whether a decision replaces this one.
     *
     * @param longestAgeMillis decisions whose inputs are older are refused
     */
    public ActuatorVerdict verdict(Lease lease, long longestAgeMillis, long wallMillis) {
        if (lease.epoch() < epoch || (lease.epoch() == epoch && lease.sequence() <= sequence)) {
            return ActuatorVerdict.NOT_NEWER;
        }
        if (wallMillis >= lease.validUntilMillis()) {
            return ActuatorVerdict.EXPIRED;
        }
        if (Guards.isStale(lease.asOfMillis(), longestAgeMillis, wallMillis)) {
            return ActuatorVerdict.STALE;
        }
        return lease.mode().isEffective() ? ActuatorVerdict.APPLIED : ActuatorVerdict.SHADOW;
    }

    /** Returns the time since the end of the lease, milliseconds; 0 or less while the lease lasts. */
    public long overdueMillis(long wallMillis, long monotonicMillis) {
        return Math.max(wallMillis - validUntilMillis, Math.max(0, monotonicMillis - takenAtMillis) - leaseMillis);
    }

    /**
     * Returns a fraction that applies until its lease ends, and then moves linearly to the safe one.
     *
     * @param overdueMillis time since the end of the lease; 0 or less while it lasts
     * @param decayMillis duration of the move to {@code safe}
     */
    public static double fractionAt(double fraction, double safe, long overdueMillis, long decayMillis) {
        if (overdueMillis <= 0) {
            return fraction;
        }
        if (overdueMillis >= decayMillis) {
            return safe;
        }
        return fraction + (safe - fraction) * ((double) overdueMillis / decayMillis);
    }
}
