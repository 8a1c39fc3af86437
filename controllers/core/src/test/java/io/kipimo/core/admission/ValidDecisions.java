package io.kipimo.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.decision.Decision;

/** Invariants of every published decision. */
public final class ValidDecisions {
    private ValidDecisions() {}

    public static void check(Decision d) {
        fraction(d.value());
        fraction(d.previous());
        fraction(d.measured());
        fraction(d.low());
        fraction(d.high());
        fraction(d.objective());
        assertThat(d.low()).as("low of %s", d).isLessThanOrEqualTo(d.measured());
        assertThat(d.measured()).as("measured of %s", d).isLessThanOrEqualTo(d.high());
        assertThat(d.samples()).as("samples of %s", d).isNotNegative();
        assertThat(d.asOfMillis()).as("asOf of %s", d).isNotNegative();
        assertThat(d.validUntilMillis()).as("lease of %s", d).isGreaterThan(d.issuedAtMillis());
        if (d.scope().endsWith("/high")) {
            assertThat(d.value()).isEqualTo(1);
        }
    }

    private static void fraction(double value) {
        assertThat(value).isFinite().isBetween(0.0, 1.0);
        assertThat(Double.doubleToRawLongBits(value)).as("-0.0").isNotEqualTo(Long.MIN_VALUE);
    }
}
