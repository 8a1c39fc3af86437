package io.kipimo.core.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.admission.BadValues;
import io.kipimo.core.admission.SampleWindows;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Ten control batches of the lower class with 100 queries each, 30 of them rejected. */
class OutcomesTest {
    private static final Offset<Double> EXACTLY = within(1e-9);
    private static final Policy POLICY = SampleWindows.policy(SampleWindows.pid(), 60 * SampleWindows.PERIOD);
    private static final ClassPolicy LOW = POLICY.classPolicy("low").orElseThrow();

    private static List<QualityWindow> batches() {
        List<QualityWindow> batches = new ArrayList<>();
        for (int i = 1; i <= 10; i++) {
            QualityWindow one = SampleWindows.batch(0.9, SampleWindows.START + i * SampleWindows.PERIOD);
            batches.add(BadValues.with(BadValues.with(one, "queryClass", "low"), "rejected", 30L));
        }
        batches.addAll(batches.subList(2, 5));
        return batches;
    }

    private static Decision decision(int batch, double value, double previous, DecisionMode mode) {
        long at = SampleWindows.START + (batch - 1) * SampleWindows.PERIOD;
        return DecisionBuilder.builder()
                .controller(Decision.ADMISSION)
                .scope("search/low")
                .epoch(1)
                .sequence(batch)
                .issuedAtMillis(at)
                .asOfMillis(at)
                .validUntilMillis(at + 60_000)
                .value(value)
                .previous(previous)
                .mode(mode)
                .reason("SHUT")
                .build();
    }

    @Test
    void offeredQueriesAreShedByTheFractionInForce() {
        ClassOutcome outcome = Outcomes.of(
                POLICY,
                LOW,
                batches(),
                List.of(
                        decision(3, 0.4, 0.5, DecisionMode.ACTIVE),
                        decision(5, 0.1, 0.4, DecisionMode.SHADOW),
                        decision(6, 0.4, 0.4, DecisionMode.HOLD),
                        decision(7, 0.8, 0.4, DecisionMode.ACTIVE)));

        assertThat(outcome.offered()).as("repetitions count once").isEqualTo(1000);
        // Two batches at the fraction before the first decision, four at 0.4, four at 0.8.
        assertThat(outcome.shed()).isCloseTo((2 * 0.5 + 4 * 0.6 + 4 * 0.2) / 10, EXACTLY);
        assertThat(outcome.moves()).isEqualTo(2);
        assertThat(outcome.least()).isEqualTo(0.4);
        assertThat(outcome.last()).isEqualTo(0.8);
        assertThat(Outcomes.rejectedShare(POLICY, LOW, batches())).isEqualTo(0.3);
    }

    @Test
    void deliberateLossIsToldFromTheRest() {
        List<QualityWindow> trimmed = new ArrayList<>();
        for (QualityWindow one : batches()) {
            trimmed.add(BadValues.with(BadValues.with(one, "notAsked", 30L), "deliberateLoss", 0.04));
        }

        ClassOutcome outcome = Outcomes.of(POLICY, LOW, trimmed, List.of());

        assertThat(outcome.deliberateLoss()).isCloseTo(0.04, EXACTLY);
        assertThat(Outcomes.of(POLICY, LOW, batches(), List.of()).deliberateLoss())
                .isZero();
    }

    @Test
    void afterTheLeaseTheFractionGoesToTheSafeOne() {
        ClassOutcome outcome =
                Outcomes.of(POLICY, LOW, batches().subList(9, 10), List.of(decision(-20, 1, 0.5, DecisionMode.ACTIVE)));

        assertThat(outcome.shed()).isCloseTo(0.5, EXACTLY);
    }

    @Test
    void withoutBatchesNothingIsKnown() {
        ClassOutcome outcome = Outcomes.of(POLICY, LOW, List.of(), List.of());

        assertThat(outcome).isEqualTo(new ClassOutcome(java.util.Optional.empty(), 0, 0, 0, 0, 1, 1));
        assertThat(Outcomes.rejectedShare(POLICY, LOW, List.of())).isZero();
    }
}
