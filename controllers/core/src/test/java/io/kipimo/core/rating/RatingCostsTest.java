package io.kipimo.core.rating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Known answers: Barahmand and Ghandeharizadeh, sec. 6, in minutes. */
class RatingCostsTest {
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
        assertThat(costs(load, restore, restores).total()).isCloseTo(total, within(3.0));
    }

    /** "This technique would require 1939 minutes". */
    @Test
    void simpleLoadingTakes1939Minutes() {
        assertThat(costs(157, 157, 11).total()).isEqualTo(1939);
    }

    @Test
    void refusesNegativeTimes() {
        assertThatThrownBy(() -> costs(-1, 0, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("load is -1.0; allowed: finite, 0 or more");
    }
}
