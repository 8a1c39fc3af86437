package io.kipimo.schemas.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class YamlDocumentTest {
    private static JsonNode value(String scalar) throws JsonProcessingException {
        return YamlDocument.read("a: " + scalar).get("a");
    }

    /** YAML 1.2.2, chapter 10.3: all but numbers, true, false and null are texts. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "NO",
                "no",
                "Yes",
                "on",
                "OFF",
                "y",
                "n",
                "1_000",
                "1:30",
                "190:20:30",
                "2026-01-01",
                "2001-12-14t21:59:43.10-05:00",
                "0b101",
                "0x",
                "1e",
                "=",
                "TRue",
                "'1.10'",
                "\"true\"",
                "'~'"
            })
    void whatIsNoNumberIsAText(String scalar) throws Exception {
        assertThat(value(scalar).isTextual()).isTrue();
        assertThat(value(scalar).asText()).isEqualTo(scalar.replaceAll("^['\"]|['\"]$", ""));
    }

    @ParameterizedTest
    @CsvSource({
        "1.10, 1.1",
        "010, 10",
        "0o10, 8",
        "0x10, 16",
        "12e03, 12000",
        "+5, 5",
        "-0.50, -0.5",
        ".5, 0.5",
        "5., 5",
        "1e3, 1000",
        "18446744073709551615, 1.8446744073709552E19"
    })
    void aNumberKeepsItsText(String scalar, double number) throws Exception {
        assertThat(value(scalar).isNumber()).isTrue();
        assertThat(value(scalar).doubleValue()).isEqualTo(number);
        assertThat(value(scalar).asText()).isEqualTo(scalar);
    }

    @Test
    void booleansAndNullsAreThoseOfTheCoreSchema() throws Exception {
        assertThat(value("True").isBoolean()).isTrue();
        assertThat(value("True").booleanValue()).isTrue();
        assertThat(value("True").asText()).isEqualTo("True");
        assertThat(value("FALSE").booleanValue()).isFalse();
        assertThat(value("~").isNull()).isTrue();
        assertThat(value("").isNull()).isTrue();
        assertThat(value(".nan").doubleValue()).isNaN();
        assertThat(value("-.INF").doubleValue()).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(YamlDocument.read("# nothing").isMissingNode()).isTrue();
    }

    @Test
    void keysAreTexts() throws Exception {
        JsonNode read = YamlDocument.read("{1.10: a, NO: b, 010: c}");
        assertThat(read.get("1.10").asText()).isEqualTo("a");
        assertThat(read.get("NO").asText()).isEqualTo("b");
        assertThat(read.get("010").asText()).isEqualTo("c");
    }

    @Test
    void aliasesAreResolvedAndBounded() throws Exception {
        assertThat(YamlDocument.read("{a: &x [1, 2], b: *x}").get("b")).hasSize(2);
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 9; i++) {
            String list = ("*a" + (i - 1) + ", ").repeat(9) + "*a" + (i - 1);
            bomb.append("a" + i + ": &a" + i + " [" + list + "]\n");
        }
        assertThatThrownBy(() -> YamlDocument.read(bomb.toString())).hasMessageContaining("aliases");
        assertThatThrownBy(() -> YamlDocument.read("a: &x [*x]")).isInstanceOf(JsonProcessingException.class);
    }

    @Test
    void deepNestingIsRefused() {
        assertThatThrownBy(() -> YamlDocument.read("[".repeat(300) + "]".repeat(300)))
                .hasMessageContaining("its nesting depth is above 200");
        assertThatThrownBy(() -> YamlDocument.read("[".repeat(100_000))).isInstanceOf(JsonProcessingException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{a: 1, a: 2} | Duplicate field 'a'",
                "{<<: {a: 1}} | '<<' merges nothing in YAML 1.2; allowed: quote it",
                "{? [a] : b} | a key is no text",
                "{~: b} | a key is no text",
                "{a: !!python/object x} | the tag tag:yaml.org,2002:python/object is unknown",
                "{a: *x} | undefined alias",
            })
    void whatIsAmbiguousIsRefused(String text, String problem) {
        assertThatThrownBy(() -> YamlDocument.read(text))
                .isInstanceOf(JsonProcessingException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void thereIsOneDocument() {
        assertThatThrownBy(() -> YamlDocument.read("a: 1\n---\na: 2\n"))
                .isInstanceOfSatisfying(
                        MismatchedInputException.class,
                        e -> assertThat(e.getLocation().getLineNr()).isEqualTo(3));
    }
}
