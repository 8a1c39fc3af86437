package io.kipimo.core.rating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class NoiseCheckTest {
    private static Reading reading(double throughput) {
        return new Reading(64, throughput, Verdict.PASSED);
    }

    @Test
    void twoEqualExperimentsTellTheNoise() {
        NoiseCheck check = NoiseCheck.of(List.of(reading(95), reading(105)), 0.001);

        assertThat(check.noise()).isCloseTo(0.0707, within(0.0001));
        assertThat(check.decidable(100)).isTrue();
    }

    @Test
    void tooMuchNoiseIsNotDecidable() {
        NoiseCheck check = NoiseCheck.of(List.of(reading(50), reading(150)), 0.001);

        assertThat(check.decidable(1_000)).isFalse();
    }

    /** 5 % noise and a tenth of a percent: what the search needs in fact, see its properties. */
    @Test
    void foretellsHowManyExperimentsTheSearchNeeds() {
        NoiseCheck check = NoiseCheck.of(List.of(reading(96.4645), reading(103.5355)), 0.001);

        assertThat(check.noise()).isCloseTo(0.05, within(0.0001));
        assertThat(check.experimentsNeeded()).isBetween(30L, 36L);
    }

    @Test
    void differentLoadsAreRefused() {
        Reading other = new Reading(65, 100, Verdict.PASSED);

        assertThatThrownBy(() -> NoiseCheck.of(List.of(reading(100), other), 0.001))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("allowed: two or more of one load");
    }
}
