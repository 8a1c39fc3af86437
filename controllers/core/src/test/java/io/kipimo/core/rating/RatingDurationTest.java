package io.kipimo.core.rating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Known answers: Barahmand and Ghandeharizadeh, sec. 6, in minutes. */
class RatingDurationTest {
    /** Upsilon = 1, delta = 3, Delta = 10, eta = 11. */
    private static RatingCosts costs(double load, double restore, int restores) {
        return new RatingCosts(load, restore, restores, 11, 1, 3, 10);
    }

    /** Tables 6 and 8. There, hybrids have nu for all 11 experiments and are rounded. */
    @ParameterizedTest
    @CsvSource({
        "165, 8, 11, 308",
        "157, 26, 11, 498",
        "157, 0, 0, 212",
        "165, 1.9, 11, 242",
        "157, 6.4, 11, 284",
        "361, 10, 11, 526",
        "351, 165, 11, 2221",
        "14804, 31, 11, 15200",
        "2509, 1206, 11, 15830",
    })
    void total_equation1_tables6And8(double load, double restore, int restores, double total) {
        assertThat(RatingDuration.total(costs(load, restore, restores))).isCloseTo(total, within(3.0));
    }

    /** "This technique would require 1939 minutes". */
    @Test
    void simpleLoadingTakes1939Minutes() {
        assertThat(RatingDuration.total(costs(157, 157, 11))).isEqualTo(1939);
    }

    @ParameterizedTest
    @CsvSource({
        "157, 8, 6.5",
        "157, 26, 3.9",
        "157, 0, 9.1",
        "157, 1.9, 8.3",
        "157, 6.4, 6.8",
        "351, 10, 8.3",
        "351, 165, 1.9",
        "351, 0, 10.5",
        "14773, 31, 11.7",
        "2509, 1206, 1.9",
        "158.5, 5, 7.3",
    })
    void speedUpOfRestoring_equation2_tables7And9(double load, double restore, double speedUp) {
        assertThat(RatingDuration.speedUpOfRestoring(costs(load, restore, 11), load, 11))
                .isCloseTo(speedUp, within(0.1));
    }

    @ParameterizedTest
    @CsvSource({
        "3, 157, 1.02",
        "3, 8, 7.3",
        "3, 26, 4.2",
        "3, 0, 11",
        "10, 157, 1.1",
        "10, 8, 7.5",
        "100, 157, 1.5",
        "100, 8, 8.6",
        "100, 0, 11.4",
        "1000, 157, 4.8",
        "1000, 8, 11.03",
        "1000, 0, 11.9",
    })
    void speedUpOfBoth_table10(double agreement, double restore, double speedUp) {
        RatingCosts costs = new RatingCosts(157, restore, 11, 11, 1, 16 / 60.0, agreement);

        assertThat(RatingDuration.speedUpOfBoth(costs, 157, 11)).isCloseTo(speedUp, within(0.06));
    }

    @Test
    void refusesNegativeTimes() {
        assertThatThrownBy(() -> costs(-1, 0, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("load is -1.0; allowed: finite, 0 or more");
    }
}
