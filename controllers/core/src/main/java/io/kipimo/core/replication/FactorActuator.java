package io.kipimo.core.replication;

import io.kipimo.core.guard.ActuatorResult;
import io.kipimo.core.guard.ActuatorVerdict;
import io.kipimo.core.guard.Lease;
import io.kipimo.core.guard.Leased;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.TierFactor;
import java.util.Optional;

/**
 * The actuator of replication factors in an arbiter. It applies a decision only if it passes all checks. When decisions
 * cease it drops copies in two steps: first those of a trial, then all. Pure functions.
 */
public final class FactorActuator {
    /** State before the first decision: no copies are sent. */
    public static final Leased<Optional<ReplicationDecision>> INITIAL = Leased.none(Optional.empty());

    /**
     * Greatest age of a decision's inputs. Decisions on older inputs are refused, so without current measurements no
     * copies are sent.
     */
    public static final long MAXIMUM_AGE_MILLIS = 300_000;

    /** Longest lease; longer leases are cut to this length. */
    public static final long LONGEST_LEASE_MILLIS = 3_600_000;

    /** Time for which the proven factors apply after the end of a lease. */
    public static final long FALLBACK_MILLIS = 300_000;

    private FactorActuator() {}

    /**
     * Takes or refuses a decision.
     *
     * @param service service whose decisions are taken
     * @param wallMillis epoch milliseconds
     * @param monotonicMillis milliseconds of a clock that is never set
     */
    public static ActuatorResult<Optional<ReplicationDecision>> offer(
            String service,
            Leased<Optional<ReplicationDecision>> state,
            ReplicationDecision offered,
            long wallMillis,
            long monotonicMillis) {
        // A manual decision rests on no inputs.
        long longestAge = offered.mode() == DecisionMode.MANUAL ? Long.MAX_VALUE : MAXIMUM_AGE_MILLIS;
        ActuatorVerdict verdict = offered.service().equals(service)
                ? state.verdict(Lease.of(offered), longestAge, wallMillis)
                : ActuatorVerdict.OTHER_SCOPE;
        return new ActuatorResult<>(
                verdict.isApplied()
                        ? Leased.of(Lease.of(offered), Optional.of(offered), LONGEST_LEASE_MILLIS, monotonicMillis)
                        : state,
                verdict);
    }

    /**
     * The factor of a tier that applies now, at least 1: the decided factor while the lease lasts, then for
     * {@value #FALLBACK_MILLIS} ms the proven one, then 1. A tier that no decision names has 1.
     *
     * @param overdueMillis time since the end of the lease; below 0 while it lasts
     */
    public static int factor(Leased<Optional<ReplicationDecision>> state, String tier, long overdueMillis) {
        TierFactor decided = state.value().flatMap(d -> d.tier(tier)).orElse(null);
        if (decided == null) {
            return 1;
        }
        if (overdueMillis < 0) {
            return decided.factor();
        }
        return overdueMillis < FALLBACK_MILLIS ? decided.fallback() : 1;
    }
}
