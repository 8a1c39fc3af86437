package io.kipimo.core.invalidation.filter;

import static io.kipimo.core.invalidation.filter.Json.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ValueOrderTest {
    /** The order between and within types, from MongoDB's manual, "Comparison/Sort Order". */
    private static final List<String> IN_ORDER = List.of(
            "{$minKey: 1}",
            "null",
            "{$numberDouble: 'NaN'}",
            "{$numberDouble: '-Infinity'}",
            "-9223372036854775808",
            "-1.5",
            "-1",
            "-0.5",
            "0",
            "{$numberDecimal: '0.1'}",
            "0.1",
            "1",
            "9007199254740992.0",
            "9007199254740993",
            "9223372036854775807",
            "9223372036854775808.0",
            "{$numberDecimal: '1E+400'}",
            "{$numberDecimal: 'Infinity'}",
            "''",
            "'a'",
            "'ab'",
            "'b'",
            "'\uFFFD'",
            "'\uD83D\uDE00'",
            "{}",
            "{a: 1}",
            "{a: 1, b: 1}",
            "{a: 2}",
            "{b: 1}",
            "{a: 'x'}",
            "[]",
            "[1]",
            "[1, 2]",
            "[2]",
            "{$binary: {base64: '/w==', subType: '00'}}",
            "{$binary: {base64: 'AAA=', subType: '00'}}",
            "{$binary: {base64: 'AAA=', subType: '04'}}",
            "{$oid: '000000000000000000000001'}",
            "{$oid: 'ff0000000000000000000000'}",
            "false",
            "true",
            "{$date: '1969-01-01T00:00:00Z'}",
            "{$date: {$numberLong: '5'}}",
            "{$timestamp: {t: 1, i: 2}}",
            "{$timestamp: {t: 4294967295, i: 0}}",
            "{$regularExpression: {pattern: 'a', options: ''}}",
            "{$maxKey: 1}");

    @Test
    void valuesOfAllTypesAreInMongosOrder() {
        List<Value> ordered = new ArrayList<>();
        IN_ORDER.forEach(text -> ordered.add(value(text)));
        List<Value> shuffled = new ArrayList<>(ordered);
        Collections.shuffle(shuffled, new Random(3));
        shuffled.sort(ValueOrder.INSTANCE);
        assertThat(shuffled).isEqualTo(ordered);
        for (int a = 0; a < ordered.size(); a++) {
            for (int b = 0; b < ordered.size(); b++) {
                assertThat(Integer.signum(ValueOrder.order(ordered.get(a), ordered.get(b))))
                        .as("%s and %s", IN_ORDER.get(a), IN_ORDER.get(b))
                        .isEqualTo(Integer.signum(Integer.compare(a, b)));
            }
        }
    }

    @Test
    void whatIsEqualHasOneCanonicalForm() {
        for (List<String> equal : List.of(
                List.of("1", "1.0", "{$numberDecimal: '1.00'}", "{$numberLong: '1'}"),
                List.of("0", "-0.0", "{$numberDecimal: '-0.0'}"),
                List.of("0.5", "{$numberDecimal: '0.50'}"),
                List.of("{$numberDecimal: 'NaN'}", "{$numberDouble: 'NaN'}"),
                List.of("{a: [1]}", "{a: [1.0]}"),
                List.of("1e300", "{$numberDouble: '1e300'}"))) {
            Value first = value(equal.get(0));
            for (String other : equal) {
                assertThat(value(other).canonical()).isEqualTo(first.canonical());
                assertThat(ValueOrder.order(value(other), first)).isZero();
            }
        }
    }

    @Test
    void textReadsBackToTheSameValue() {
        for (String text : IN_ORDER) {
            Value value = value(text);
            assertThat(value(ExtendedJson.write(value)).canonical()).isEqualTo(value.canonical());
        }
    }

    @Test
    void whatHasNoTypeIsRefusedWithItsPlace() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> value("{a: [{$undefined: true}]}"))
                .withMessageContaining("v.a.0")
                .withMessageContaining("$undefined");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> value("{$oid: 'xyz'}"))
                .withMessageContaining("24 hexadecimal digits");
        assertThatIllegalArgumentException().isThrownBy(() -> value("{$date: 'soon'}"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Document.builder().put("a", 1).put("a", 2).build())
                .withMessageContaining("'a' occurs twice");
    }
}
