package io.kipimo.cli.advice;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FiguresTest {
    @Test
    void figuresAreAsPeopleReadThem() {
        assertThat(Figures.fraction(0.98765)).isEqualTo("0.988");
        assertThat(Figures.share(-0.254)).isEqualTo("-25 %");
        assertThat(Figures.millis(2.345)).isEqualTo("2.3 ms");
        assertThat(Figures.millis(29.6)).isEqualTo("30 ms");
        assertThat(Figures.span(300_000)).isEqualTo("5m");
        assertThat(Figures.span(3_600_000)).isEqualTo("1h");
        assertThat(Figures.span(45_000)).isEqualTo("45s");
        assertThat(Figures.verdict("NOT_ENOUGH")).isEqualTo("NOT-ENOUGH");
    }
}
