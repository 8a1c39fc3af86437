package io.kipimo.schemas.completeness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ToldCompletenessTest {
    @ParameterizedTest
    @CsvSource({"whole, 1", "cut, 0", "cut;share=0.75, 0.75", "unknown, 0"})
    void whatIsWrittenIsRead(String text, double quality) {
        ToldCompleteness told = ToldCompleteness.parse(text).orElseThrow();

        assertThat(told.format()).isEqualTo(text);
        assertThat(told.shownQuality()).isEqualTo(quality);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "good", "whole,whole", "0.5", "cut;share=x", "cut;part=1"})
    void anotherTextTellsNothing(String text) {
        assertThat(ToldCompleteness.parse(text)).isEmpty();
    }

    @Test
    void aShareIsNeverRoundedUp() {
        assertThat(ToldCompleteness.cut(OptionalDouble.of(0.9999)).format()).isEqualTo("cut;share=0.99");
    }

    @Test
    void allShardsThatWereCutAreNoShare() {
        assertThat(ToldCompleteness.cut(OptionalDouble.of(1)).format()).isEqualTo("cut");
    }
}
