package io.kipimo.simulator.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.kipimo.schemas.document.Section;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VariationTest {
    private static final JsonNode START = Section.tree(BuiltIn.text("start"));

    private static Scenario first(String variation) {
        return ScenarioReader.read(
                Variation.parse(variation).of(START).values().iterator().next(), file -> file);
    }

    @Test
    void eachValueIsOfOneKey_alsoInAList_andOneThatTheFileLacks() {
        assertThat(Variation.parse("service.classes[1].arrivals.rate_per_second=40,85")
                        .of(START))
                .containsOnlyKeys("rate_per_second=40", "rate_per_second=85");
        assertThat(first("seconds=60").seconds()).isEqualTo(60);
        assertThat(first("replication.target=p99").replication()).isPresent();
        assertThat(first("service.classes[1].arrivals.rate_per_second=40"))
                .isNotEqualTo(first("service.classes[1].arrivals.rate_per_second=85"));
        assertThat(START).as("unchanged").isEqualTo(Section.tree(BuiltIn.text("start")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"seconds", "=1", "seconds=", "seconds=1,,2", "Seconds=1", "seconds=1,1", "a..b=1"})
    void otherFormsAreRefused(String text) {
        assertThatThrownBy(() -> Variation.parse(text)).hasMessageStartingWith("is '" + text + "'; allowed: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"seconds.x=1", "service.classes[9]=1", "service.classes=[1", "name[0]=1"})
    void aKeyWithoutRoomIsRefused(String text) {
        assertThatThrownBy(() -> Variation.parse(text).of(START)).hasMessageStartingWith("cannot set ");
    }
}
