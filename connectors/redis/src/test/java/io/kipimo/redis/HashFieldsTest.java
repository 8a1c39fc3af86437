package io.kipimo.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HashFieldsTest {
    private static Map<String, String> of(Decision decision) {
        return HashFields.of(decision, Codecs.DECISION);
    }

    private static Decision read(Map<String, String> fields) {
        return HashFields.check(HashFields.read(Codecs.DECISION, fields), Codecs.DECISION);
    }

    /** Readers of the hash know these names. */
    @Test
    void fieldsAreNamedAsInTheMessage() {
        assertThat(of(SampleDecisions.of(1, 2, 0.5)).keySet())
                .containsExactly(("controller scope epoch sequence issued_at_millis as_of_millis"
                                + " valid_until_millis value previous samples mode reason"
                                + " config_version measured low high objective")
                        .split(" "));
    }

    @Test
    void writtenFieldsReadBack() {
        var decision = SampleDecisions.of(3, 4, 0.25);
        assertThat(read(of(decision))).isEqualTo(decision);
    }

    @Test
    void numbersHaveNoExponent() {
        assertThat(of(SampleDecisions.of(1, 1, 0.00001))).containsEntry("value", "0.000010");
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.1, 1.1})
    void impossibleValuesAreRefused(double value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(SampleDecisions.of(1, 1, value)))
                .withMessageContaining("value is " + value);
    }

    @ParameterizedTest
    @CsvSource({"9007199254740992, 1", "1, 9007199254740992", "-1, 1", "1, -1"})
    void countsBeyondDoublePrecisionAreRefused(long epoch, long sequence) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(SampleDecisions.of(epoch, sequence, 0.5)))
                .withMessageContaining("allowed");
    }

    @ParameterizedTest
    @CsvSource({"value, NaN", "epoch, 0x10", "sequence, 1e3", "mode, PERHAPS", "samples, many"})
    void foreignTextIsRefused(String field, String text) {
        Map<String, String> fields = new HashMap<>(of(SampleDecisions.of(1, 1, 0.5)));
        fields.put(field, text);
        assertThatIllegalArgumentException().isThrownBy(() -> read(fields));
    }

    @Test
    void anAbsentFieldIsNamed() {
        Map<String, String> fields = new HashMap<>(of(SampleDecisions.of(1, 1, 0.5)));
        fields.remove("objective");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(fields))
                .withMessageContaining("objective is absent");
    }
}
