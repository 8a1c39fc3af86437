package io.kipimo.redis;

import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionMode;

/** Decisions to store. */
final class SampleDecisions {
    static final String SCOPE = "search/low";
    static final long ISSUED_AT = 1_700_000_000_000L;
    static final long LEASE_MILLIS = 60_000;

    private SampleDecisions() {}

    static Decision of(long epoch, long sequence, double value) {
        return of(epoch, sequence, value, ISSUED_AT + LEASE_MILLIS);
    }

    static Decision of(long epoch, long sequence, double value, long validUntilMillis) {
        return new Decision(
                Decision.ADMISSION,
                SCOPE,
                epoch,
                sequence,
                ISSUED_AT,
                ISSUED_AT - 1_000,
                validUntilMillis,
                value,
                1,
                40,
                DecisionMode.ACTIVE,
                "SHUT",
                7,
                0.88,
                0.86,
                0.9,
                0.9);
    }
}
