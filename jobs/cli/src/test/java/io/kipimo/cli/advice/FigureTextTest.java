package io.kipimo.cli.advice;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FigureTextTest {
    @Test
    void figuresAreAsPeopleReadThem() {
        assertThat(FigureText.fraction(0.98765)).isEqualTo("0.988");
        assertThat(FigureText.share(-0.254)).isEqualTo("-25 %");
        assertThat(FigureText.millis(2.345)).isEqualTo("2.3 ms");
        assertThat(FigureText.millis(29.6)).isEqualTo("30 ms");
        assertThat(FigureText.span(300_000)).isEqualTo("5m");
        assertThat(FigureText.span(3_600_000)).isEqualTo("1h");
        assertThat(FigureText.span(45_000)).isEqualTo("45s");
        assertThat(FigureText.verdict("NOT_ENOUGH")).isEqualTo("NOT-ENOUGH");
    }
}
