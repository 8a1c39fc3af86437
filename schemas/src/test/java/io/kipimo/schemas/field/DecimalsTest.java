package io.kipimo.schemas.field;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalsTest {
    @ParameterizedTest
    @CsvSource({"1, 1", "-1.5, -1.5", "+.5, 0.5", "2., 2", "1e+06, 1000000", "1E-3, 0.001"})
    void decimalNumbersAreRead(String text, double expected) {
        assertThat(Decimals.parse(text)).isEqualTo(expected);
    }

    /** The first six are numbers for Java. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1d",
                "1.5f",
                "0x1p3",
                "NaN",
                "Infinity",
                " 1",
                "1e999",
                "+Inf",
                "",
                "-",
                ".",
                "1,5",
                "1_000",
                "5ms",
                "٣"
            })
    void nothingElseIsANumber(String text) {
        assertThat(Decimals.parse(text)).isNaN();
    }
}
