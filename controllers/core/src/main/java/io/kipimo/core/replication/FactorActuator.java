package io.kipimo.core.replication;

import io.kipimo.core.guard.ActuatorVerdict;
import io.kipimo.core.guard.Lease;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.TierFactor;
import java.util.Optional;

/**
 * The actuator of replication factors in an arbiter. It applies a decision only if it passes all checks. When decisions
 * cease it drops copies in two steps: first those of a trial, then all. A {@link Lease} is measured by two clocks.
 *
 * @param decision last applied; empty: none yet
 * @param takenAtMillis its receipt by the monotonic clock
 */
public record FactorActuator(Optional<ReplicationDecision> decision, long takenAtMillis) {
    /** No decision yet: no copies. */
    public static final FactorActuator INITIAL = new FactorActuator(Optional.empty(), 0);

    /** Decisions on older inputs are refused: without current measurements no copies are sent. */
    public static final long MAXIMUM_AGE_MILLIS = 300_000;

    /** Longer leases are cut to this. */
    public static final long LONGEST_LEASE_MILLIS = 3_600_000;

    /** How long the proven factors apply after the end of a lease. */
    public static final long FALLBACK_MILLIS = 300_000;

    /** Result of an offered decision. */
    public record Offer(FactorActuator next, ActuatorVerdict verdict) {}

    /**
     * Takes or refuses a decision.
     *
     * @param service whose decisions are taken
     * @param wallMillis epoch milliseconds
     * @param monotonicMillis milliseconds of a clock that is never set
     */
    public Offer offer(String service, ReplicationDecision offered, long wallMillis, long monotonicMillis) {
        ActuatorVerdict verdict = verdict(service, offered, wallMillis);
        return new Offer(
                verdict.isApplied() ? new FactorActuator(Optional.of(offered), monotonicMillis) : this, verdict);
    }

    private ActuatorVerdict verdict(String service, ReplicationDecision offered, long wallMillis) {
        if (!offered.service().equals(service)) {
            return ActuatorVerdict.OTHER_SCOPE;
        }
        if (decision.filter(d -> !offered.isNewerThan(d.epoch(), d.sequence())).isPresent()) {
            return ActuatorVerdict.NOT_NEWER;
        }
        if (wallMillis >= offered.validUntilMillis()) {
            return ActuatorVerdict.EXPIRED;
        }
        // A manual decision rests on no inputs.
        if (offered.mode() != DecisionMode.MANUAL && wallMillis - offered.asOfMillis() > MAXIMUM_AGE_MILLIS) {
            return ActuatorVerdict.STALE;
        }
        return offered.mode().isEffective() ? ActuatorVerdict.APPLIED : ActuatorVerdict.SHADOW;
    }

    /**
     * The factor of a tier that applies now, at least 1: the decided factor while the lease lasts, then for
     * {@value #FALLBACK_MILLIS} ms the proven one, then 1. A tier that no decision names has 1.
     *
     * @param wallMillis epoch milliseconds
     * @param monotonicMillis milliseconds of a clock that is never set
     */
    public int factor(String tier, long wallMillis, long monotonicMillis) {
        TierFactor decided = decision.flatMap(d -> d.tier(tier)).orElse(null);
        if (decided == null) {
            return 1;
        }
        long overdue = overdueMillis(wallMillis, monotonicMillis);
        if (overdue < 0) {
            return decided.factor();
        }
        return overdue < FALLBACK_MILLIS ? decided.fallback() : 1;
    }

    /** Whether the lease of the last applied decision still lasts. */
    public boolean isInForce(long wallMillis, long monotonicMillis) {
        return decision.isPresent() && overdueMillis(wallMillis, monotonicMillis) < 0;
    }

    private long overdueMillis(long wallMillis, long monotonicMillis) {
        ReplicationDecision d = decision.orElseThrow();
        long length = Math.min(d.validUntilMillis() - d.issuedAtMillis(), LONGEST_LEASE_MILLIS);
        return Lease.overdueMillis(d.validUntilMillis(), length, takenAtMillis, wallMillis, monotonicMillis);
    }
}
