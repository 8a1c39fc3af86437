package io.kipimo.core.rating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.schemas.rating.AgreementTerms;
import io.kipimo.schemas.rating.ExperimentCounts;
import org.junit.jupiter.api.Test;

class ExperimentVerdictTest {
    private static final AgreementTerms AGREEMENT = new AgreementTerms(0.95, 100_000, 0.01, 0.9, 0.02, 600_000);

    private static final ExperimentCounts KEPT = ExperimentCounts.of(100, 95, 2, 200, 2, 10, 9);

    @Test
    void boundsThatAreJustMetAreMet() {
        assertThat(ExperimentEvaluator.verdict(KEPT, AGREEMENT)).isEqualTo(Verdict.PASSED);
    }

    @Test
    void eachPartMayBreakIt() {
        assertThat(ExperimentEvaluator.verdict(ExperimentCounts.of(100, 94, 2, 200, 2, 10, 9), AGREEMENT))
                .isEqualTo(Verdict.FAILED);
        assertThat(ExperimentEvaluator.verdict(ExperimentCounts.of(100, 95, 3, 200, 2, 10, 9), AGREEMENT))
                .isEqualTo(Verdict.FAILED);
        assertThat(ExperimentEvaluator.verdict(ExperimentCounts.of(100, 95, 2, 200, 3, 10, 9), AGREEMENT))
                .isEqualTo(Verdict.FAILED);
        assertThat(ExperimentEvaluator.verdict(ExperimentCounts.of(100, 95, 2, 200, 2, 10, 8.9), AGREEMENT))
                .isEqualTo(Verdict.FAILED);
    }

    @Test
    void noRequestsAndUnmeasuredQualityAreFailures() {
        assertThat(ExperimentEvaluator.verdict(ExperimentCounts.NONE, AGREEMENT))
                .isEqualTo(Verdict.FAILED);
        assertThat(ExperimentEvaluator.verdict(ExperimentCounts.of(100, 100, 0, 0, 0, 0, 0), AGREEMENT))
                .isEqualTo(Verdict.FAILED);
    }

    @Test
    void talliesOfGeneratorsAddUp() {
        assertThat(KEPT.plus(KEPT)).isEqualTo(ExperimentCounts.of(200, 190, 4, 400, 4, 20, 18));
        assertThat(KEPT.plus(ExperimentCounts.NONE)).isEqualTo(KEPT);
    }

    @Test
    void refusesImpossibleCounts() {
        assertThatThrownBy(() -> ExperimentCounts.of(1, 2, 0, 0, 0, 0, 0)).hasMessage("within is 2; allowed: 0..1");
    }
}
