package io.kipimo.redis;

import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
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
        return DecisionBuilder.builder()
                .controller(Decision.ADMISSION)
                .scope(SCOPE)
                .epoch(epoch)
                .sequence(sequence)
                .issuedAtMillis(ISSUED_AT)
                .asOfMillis(ISSUED_AT - 1_000)
                .validUntilMillis(validUntilMillis)
                .value(value)
                .previous(1)
                .samples(40)
                .mode(DecisionMode.ACTIVE)
                .reason("SHUT")
                .configVersion(7)
                .measured(0.88)
                .low(0.86)
                .high(0.9)
                .objective(0.9)
                .build();
    }
}
