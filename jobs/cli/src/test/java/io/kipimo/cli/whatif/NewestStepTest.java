package io.kipimo.cli.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.decision.DecisionMode;
import java.util.List;
import org.junit.jupiter.api.Test;

class NewestStepTest {
    private static Decision decision(long epoch, long sequence, long asOfMillis, double value, String reason) {
        return DecisionBuilder.builder()
                .controller(Decision.ADMISSION)
                .scope("shop/low")
                .epoch(epoch)
                .sequence(sequence)
                .asOfMillis(asOfMillis)
                .value(value)
                .previous(value)
                .reason(reason)
                .mode(DecisionMode.ACTIVE)
                .build();
    }

    @Test
    void renewalsAreNoSteps() {
        Decision step = decision(1, 7, 5_000, 0.6, "STEP");
        assertThat(ExplainCommand.newestStep(List.of(
                        decision(1, 9, 5_000, 0.6, "RENEWED"),
                        decision(1, 6, 4_000, 0.5, "STEP"),
                        step,
                        decision(1, 8, 5_000, 0.6, "RENEWED"))))
                .contains(step);
    }

    @Test
    void aHeldFractionIsRenewedUnderTheReasonOfItsStep() {
        Decision held = decision(1, 7, 5_000, 0.6, "HELD_EXPIRED");
        assertThat(ExplainCommand.newestStep(List.of(held, decision(1, 8, 5_000, 0.6, "HELD_EXPIRED"))))
                .contains(held);
    }

    @Test
    void aHeartbeatThatMovesTheFractionOrSaysWhyItDoesNotIsAStep() {
        Decision step = decision(1, 7, 5_000, 0.6, "STEP");
        Decision override = decision(1, 8, 5_000, 0.2, "MANUAL");
        Decision stale = decision(1, 8, 5_000, 0.6, "HELD_STALE");
        assertThat(ExplainCommand.newestStep(List.of(step, override))).contains(override);
        assertThat(ExplainCommand.newestStep(List.of(step, stale))).contains(stale);
        assertThat(ExplainCommand.newestStep(List.of())).isEmpty();
    }
}
