package io.kipimo.core.guard;

import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.replication.ReplicationDecision;

/**
 * The parts of a decision that determine whether it applies, and for how long. Times are epoch milliseconds.
 *
 * @param asOfMillis event time of the newest inputs
 * @param validUntilMillis end of the lease
 */
public record Lease(
        long epoch, long sequence, long issuedAtMillis, long asOfMillis, long validUntilMillis, DecisionMode mode) {
    static Lease of(Decision d) {
        return new Lease(d.epoch(), d.sequence(), d.issuedAtMillis(), d.asOfMillis(), d.validUntilMillis(), d.mode());
    }

    public static Lease of(ReplicationDecision d) {
        return new Lease(d.epoch(), d.sequence(), d.issuedAtMillis(), d.asOfMillis(), d.validUntilMillis(), d.mode());
    }
}
