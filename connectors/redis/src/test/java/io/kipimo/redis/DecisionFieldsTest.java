package io.kipimo.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecisionFieldsTest {
    @Test
    void writtenFieldsReadBack() {
        var decision = SampleDecisions.of(3, 4, 0.25);
        assertThat(DecisionFields.read(DecisionFields.of(decision))).isEqualTo(decision);
    }

    @Test
    void numbersHaveNoExponent() {
        assertThat(DecisionFields.of(SampleDecisions.of(1, 1, 0.00001)))
                .containsEntry("value", "0.000010");
    }

    @ParameterizedTest
    @ValueSource(
            doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.1, 1.1})
    void impossibleValuesAreRefused(double value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DecisionFields.of(SampleDecisions.of(1, 1, value)))
                .withMessageContaining("value is " + value);
    }

    @ParameterizedTest
    @CsvSource({"9007199254740992, 1", "1, 9007199254740992", "-1, 1", "1, -1"})
    void countsBeyondDoublePrecisionAreRefused(long epoch, long sequence) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DecisionFields.of(SampleDecisions.of(epoch, sequence, 0.5)))
                .withMessageContaining("allowed");
    }

    @ParameterizedTest
    @CsvSource({"value, NaN", "epoch, 0x10", "sequence, 1e3", "mode, PERHAPS", "samples, many"})
    void foreignTextIsRefused(String field, String text) {
        Map<String, String> fields =
                new HashMap<>(DecisionFields.of(SampleDecisions.of(1, 1, 0.5)));
        fields.put(field, text);
        assertThatIllegalArgumentException().isThrownBy(() -> DecisionFields.read(fields));
    }

    @Test
    void anAbsentFieldIsNamed() {
        Map<String, String> fields =
                new HashMap<>(DecisionFields.of(SampleDecisions.of(1, 1, 0.5)));
        fields.remove("objective");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DecisionFields.read(fields))
                .withMessageContaining("objective is absent");
    }
}
