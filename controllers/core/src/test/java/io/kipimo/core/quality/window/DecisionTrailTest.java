package io.kipimo.core.quality.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.guard.DecisionReason;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.decision.DecisionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecisionTrailTest {
    /** What holds a class that has queries is told; idleness is no fault. */
    @ParameterizedTest
    @CsvSource({"HELD_NOT_KNOWN, 1000", "SAFE_FALLBACK, 1000", "HELD_IDLE, 0", "RENEWED, 0"})
    void tellsSinceWhenAFaultHolds(DecisionReason reason, long sinceMillis) {
        DecisionTrail trail = DecisionTrail.NONE
                .with(decision(1, DecisionReason.RENEWED, 500))
                .with(decision(2, reason, 1_000))
                .with(decision(3, reason, 2_000));
        assertThat(trail.heldSinceMillis()).isEqualTo(sinceMillis);
    }

    private static Decision decision(long sequence, DecisionReason reason, long issuedAtMillis) {
        return DecisionBuilder.builder()
                .controller(Decision.ADMISSION)
                .scope("shop/low")
                .epoch(1)
                .sequence(sequence)
                .issuedAtMillis(issuedAtMillis)
                .mode(DecisionMode.HOLD)
                .reason(reason.name())
                .build();
    }
}
