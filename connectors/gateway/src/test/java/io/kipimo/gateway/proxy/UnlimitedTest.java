package io.kipimo.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.BooleanNode;
import io.kipimo.gateway.config.Engine;
import io.kipimo.gateway.config.ReplayConfig;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnlimitedTest {
    private static String body(Engine engine, String type, String body) {
        return new String(
                Unlimited.body(body.getBytes(StandardCharsets.UTF_8), type, engine.replay()), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({
        "opensearch, /a/_search?timeout=3ms&q=x%20y&terminate_after=3, /a/_search?q=x%20y",
        "opensearch, /a/_search?time%6fut=3ms, /a/_search",
        "opensearch, /a/_search, /a/_search",
        "solr, /solr/c/select?q=a&timeAllowed=5&timeAllowed=6, /solr/c/select?q=a&timeAllowed=-1",
        "solr, /solr/c/select, /solr/c/select?timeAllowed=-1",
        "vespa, /search/?timeout=1, /search/?ranking.softtimeout.enable=false&timeout=10s"
    })
    void limitsLeaveTheTarget(Engine engine, String before, String after) {
        assertThat(Unlimited.target(before, engine.replay())).isEqualTo(after);
    }

    @Test
    void limitsLeaveABody() {
        assertThat(body(
                        Engine.of("opensearch"),
                        "application/json",
                        "{\"timeout\":\"3ms\",\"query\":{\"timeout\":1},\"terminate_after\":3}"))
                .isEqualTo("{\"query\":{\"timeout\":1}}");
        assertThat(body(
                        Engine.of("solr"),
                        "application/x-www-form-urlencoded; charset=UTF-8",
                        "q=a%26b&timeAllowed=5&rows=3"))
                .isEqualTo("q=a%26b&rows=3");
        assertThat(body(Engine.of("solr"), null, "{\"query\":\"a\",\"params\":{\"timeAllowed\":5,\"fl\":\"id\"}}"))
                .isEqualTo("{\"query\":\"a\",\"params\":{\"fl\":\"id\"}}");
    }

    @Test
    void whatIsSetIsSetWhereItIsMissing() {
        assertThat(body(Engine.of("qdrant"), "application/json", "{\"query\":[0.25],\"limit\":3}"))
                .isEqualTo("{\"query\":[0.25],\"limit\":3,\"params\":{\"exact\":true}}");
        assertThat(body(Engine.of("qdrant"), "application/json", "{\"params\":{\"hnsw_ef\":64,\"exact\":false}}"))
                .isEqualTo("{\"params\":{\"hnsw_ef\":64,\"exact\":true}}");
    }

    /** A vector whose numbers changed would be another query. */
    @Test
    void numbersKeepTheirDigits() {
        String vector = "[0.12345678901234567890,1E-40,3.0]";

        assertThat(body(Engine.of("qdrant"), "application/json", "{\"query\":" + vector + "}"))
                .startsWith("{\"query\":" + vector);
    }

    @Test
    void aBodyOfAnotherFormIsRefused() {
        assertThatThrownBy(() -> body(Engine.of("opensearch"), "application/cbor", "\u0001\u0002"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> body(Engine.of("opensearch"), "application/json", "[1]"))
                .hasMessageContaining("no JSON object");
        assertThatThrownBy(() -> Unlimited.body(
                        "{\"params\":3}".getBytes(StandardCharsets.UTF_8),
                        "application/json",
                        new ReplayConfig(
                                ReplayConfig.When.CUT,
                                0,
                                1,
                                1,
                                1_000,
                                List.of(),
                                Map.of(),
                                List.of(),
                                Map.of("/params/exact", BooleanNode.TRUE))))
                .hasMessageContaining("no object where '/params/exact' is set");
    }
}
