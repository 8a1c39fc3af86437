package io.kipimo.sdk.caching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPartsTest {
    private static String id(String text) {
        byte[] body = "{\"id\": \"%s\"}".formatted(text).getBytes(StandardCharsets.UTF_8);
        return JsonParts.scalar(JsonParts.member(JsonParts.whole(body), "id"));
    }

    @Test
    void anEscapeHasFourDigits() {
        assertThat(id("\\u0041\\u00dF")).isEqualTo("Aß");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\u+123", "\\u-123", "\\u 123", "\\u12g4", "\\u123"})
    void otherEscapesAreRefused(String escape) {
        assertThatThrownBy(() -> id(escape)).isInstanceOf(IllegalArgumentException.class);
    }
}
