package io.kipimo.gateway.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.gateway.config.CutSign;
import io.kipimo.gateway.config.ItemsConfig;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CutSignsTest {
    private static boolean found(String pointer, Double above, String json) {
        return found(json, new CutSign("/nowhere", Optional.empty()), new CutSign(pointer, Optional.ofNullable(above)));
    }

    private static boolean found(String json, CutSign... signs) {
        ItemsConfig config = ItemsConfig.of(ItemsConfig.JSON, "", "id", "s", List.of(signs));
        return !new CutSigns(config, List.of())
                .in(json.getBytes(StandardCharsets.UTF_8))
                .said()
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/t | {'t':true} | true",
                "/t | {'t':false} | false",
                "/t | {'t':null} | false",
                "/t | {'u':true} | false",
                "/t | {'u':{'t':true},'t':false} | false",
                "/t | {'t':1} | true",
                "/t | {'t':0.0} | false",
                "/t | {'t':'omitted'} | true",
                "/t | {'t':''} | false",
                "/t | {'t':{}} | false",
                "/t | {'t':{'a':0}} | true",
                "/t | {'t':[]} | false",
                "/t | {'t':[[]]} | true",
                "/t/u | {'a':[{'t':1}],'t':{'a':{'u':1},'u':true},'z':{}} | true",
                "/t/u | {'t':[{'u':true}]} | false",
                "/t/1/u | {'t':[{'u':true},{'u':false}]} | false",
                "/t/1/u | {'t':[{'u':false},{'u':true}]} | true",
                "/a~1b | {'a/b':true} | true"
            })
    void aValueThatIsThereAndSaysSomething(String pointer, String json, boolean expected) {
        assertThat(found(pointer, null, json.replace('\'', '"'))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'f':0} | false",
                "{'f':1} | true",
                "{'f':0.5} | true",
                "{'f':-1} | false",
                "{'f':true} | true",
                "{'f':false} | false",
                "{'f':null} | false",
                "{} | false"
            })
    void aNumberAboveABound(String json, boolean expected) {
        assertThat(found("/f", 0.0, json.replace('\'', '"'))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'s':{'done':4,'all':6}} | true",
                "{'s':{'all':6,'done':4}} | true",
                "{'s':{'done':6,'all':6}} | false",
                "{'s':{'done':7,'all':6}} | false",
                "{'s':{'done':null,'all':6}} | false",
                "{'s':{'all':6}} | false",
                "{'s':{'done':0}} | false",
                "{} | false"
            })
    void aNumberBelowAnother(String json, boolean expected) {
        CutSign sign = new CutSign("/s/done", Optional.empty(), Optional.empty(), Optional.of("/s/all"));

        assertThat(found(json.replace('\'', '"'), sign)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no", "{} {}", "{\"t\":true", "{\"t\":true,}", "[1,2", "{\"x\":{\"t\":tru}}"})
    void whatIsNotWholeSaysNothing(String json) {
        assertThatThrownBy(() -> found("/t", null, json)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatIsComparedIsANumber() {
        assertThatThrownBy(() -> found("/f", 0.0, "{\"f\":\"many\"}")).isInstanceOf(IllegalArgumentException.class);
    }
}
