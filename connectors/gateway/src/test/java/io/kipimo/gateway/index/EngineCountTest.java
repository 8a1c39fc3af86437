package io.kipimo.gateway.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.gateway.config.Engine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EngineCountTest {
    private static EngineCount of(String engine) {
        return new EngineCount(Engine.of(engine).counter().orElseThrow());
    }

    @Test
    void queriesOfTheSameTimeAreCompared() {
        EngineCount count = of("qdrant");
        count.read(1_000, 5);
        count.read(1_100, 65);

        assertThat(count.counted()).isEqualTo(100);
        assertThat(count.sent()).isEqualTo(60);
    }

    @Test
    void aRestartOrAReadThatFailedLeavesBothCountsOut() {
        EngineCount count = of("qdrant");
        count.read(1_000, 0);
        count.read(50, 60);
        count.read(Double.NaN, 80);
        count.read(70, 90);
        count.read(75, 94);

        assertThat(count.counted()).isEqualTo(5);
        assertThat(count.sent()).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "opensearch |"
                        + " {'nodes':{'a':{'rest_actions':{'search_action':12,'get_action':3}},'b':{'rest_actions':{'search_action':30}}}}"
                        + " | 42",
                "elasticsearch | {'nodes':{'a':{'rest_actions':{'nodes_usage_action':1,'document_search_action':19}}}}"
                        + " | 19",
                "elasticsearch | {'nodes':{}} | NaN",
                "qdrant |"
                        + " rest_responses_total{method=\"POST\",endpoint=\"/collections/{name}/points/query\",status=\"200\"}"
                        + " 7 | 7",
                "qdrant | rest_responses_total{method=\"PUT\",endpoint=\"/collections/{name}/points\",status=\"200\"}"
                        + " 7 | NaN",
            })
    void theEnginesCounterIsFound(String engine, String answer, double expected) {
        assertThat(Double.valueOf(of(engine).in(answer.replace('\'', '"')))).isEqualTo(Double.valueOf(expected));
    }
}
