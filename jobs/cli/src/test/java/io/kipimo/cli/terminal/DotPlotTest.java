package io.kipimo.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DotPlotTest {
    @Test
    void intervalsAreOnOneAxisWithTheObjective() {
        DotPlot plot = new DotPlot(0.23, 0.9);
        assertThat(plot.title()).hasSize(41).startsWith("0.2 ").endsWith(" 1.0");
        assertThat(plot.line(0.24, 0.26, 0.28)).hasSize(41).isEqualTo("  -o-" + " ".repeat(30) + "|     ");
        assertThat(plot.line(0.2, 1, 1)).isEqualTo("-".repeat(35) + "|----o");
    }

    @Test
    void aNarrowRangeStillHasAnAxis() {
        DotPlot plot = new DotPlot(1, Double.NaN);
        assertThat(plot.title()).startsWith("0.9 ");
        assertThat(plot.line(1, 1, 1)).isEqualTo(" ".repeat(40) + "o");
    }
}
