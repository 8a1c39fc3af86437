package io.kipimo.core.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PidControllerTest {
    private static final PidController.PidGains CONFIG = new PidController.PidGains(0.5, 0.05, 0, 10, 0, 1);
    private static final PidState STARTED = new PidState(0.02, 0.92, 0, 1000, 0);

    @Test
    void velocityFormOfUboraSection8() {
        PidStep step = PidController.step(CONFIG, STARTED, 0.6, -0.06, 0.84, 10_000, 11_000);
        assertThat(step.output()).isEqualTo(0.6 + 0.5 * (-0.06 - 0.02) + 0.05 * -0.06 * 10, within(1e-12));
        assertThat(step.next().error()).isEqualTo(-0.06);
        assertThat(step.next().slope()).isEqualTo(0.008 * 0.5, within(1e-12));
    }

    @Test
    void theDerivativeShutsWhileQualityFallsEverFaster() {
        PidController.PidGains d = new PidController.PidGains(0, 0, 4, 10, 0, 1);
        PidStep falling = PidController.step(d, STARTED, 0.6, 0, 0.82, 10_000, 11_000);
        assertThat(falling.output()).isEqualTo(0.6 - 4 * 0.01 * 0.5, within(1e-12));
        PidStep steady = PidController.step(d, falling.next(), falling.output(), 0, 0.82, 10_000, 21_000);
        assertThat(steady.output() + steady.next().pending()).isGreaterThan(falling.output());
    }

    @Test
    void aSmallChangeIsNoDecisionUntilItHasGrown() {
        PidController.PidGains i = new PidController.PidGains(0, 0.01, 0, 10, 0, 1);
        PidState state = STARTED;
        double u = 0.5;
        for (int step = 1; step <= 3; step++) {
            assertThat(u).as("step %d", step).isEqualTo(0.5);
            PidStep next = PidController.step(i, state, u, -0.05, 0.9, 10_000, 1000 + step * 10_000L);
            state = next.next();
            u = next.output();
        }
        assertThat(u).isEqualTo(0.5 - 3 * 0.01 * 0.05 * 10, within(1e-12));
        assertThat(state.pending()).isZero();
    }

    @Test
    void theFirstStepOutputsTheValueInForce() {
        PidStep step = PidController.step(CONFIG, PidState.UNSTARTED, 0.37, 0.1, 1, 10_000, 5);
        assertThat(step.output()).isEqualTo(0.37);
        assertThat(step.next().isStarted()).isTrue();
    }

    @Test
    void nothingIsStoredBeyondTheBounds() {
        PidState state = STARTED;
        double u = 0.5;
        for (int i = 1; i < 1000; i++) {
            PidStep step = PidController.step(CONFIG, state, u, -0.5, 0.4, 10_000, 1000 + i * 10_000L);
            state = step.next();
            u = step.output();
        }
        assertThat(u).isZero();
        PidStep recovered = PidController.step(CONFIG, state, u, 0.1, 1, 10_000, 20_000_000);
        assertThat(recovered.output()).isGreaterThan(0);
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.1, 1e300})
    void impossibleGainsAreRejectedByName(double bad) {
        assertThatThrownBy(() -> new PidController.PidGains(bad, 0, 0, 1, 0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("kp is")
                .hasMessageContaining("allowed");
        assertThatThrownBy(() -> new PidController.PidGains(0, 0, 0, bad, 0, 1))
                .hasMessageContaining("filterSeconds is");
        assertThatThrownBy(() -> new PidController.PidGains(0, 0, 0, 1, 0.5, Double.isNaN(bad) ? bad : 0.4))
                .hasMessageContaining("ceiling is");
    }
}
