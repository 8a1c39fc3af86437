package io.kipimo.core.guard;

import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.replication.ReplicationDecision;

/**
 * What decides whether, and how long, a decision applies; times in epoch milliseconds.
 *
 * @param asOfMillis event time of the newest inputs
 * @param validUntilMillis its end
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
