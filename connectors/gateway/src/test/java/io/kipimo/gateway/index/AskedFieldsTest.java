package io.kipimo.gateway.index;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AskedFieldsTest {
    private static final AskedFields FIELDS = new AskedFields(Set.of("lyric", "title.near"));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'query':{'match':{'lyric':'a sign'}}} | true",
                "{'query':{'bool':{'must':[{'match':{'title.near':{'query':'x'}}}]}}} | true",
                "{'query':{'multi_match':{'query':'x','fields':['title','lyric^2']}}} | true",
                "{'query':{'multi_match':{'query':'x','fields':['ly*']}}} | true",
                "{'query':{'multi_match':{'query':'x'}}} | true",
                "{'query':{'query_string':{'query':'title:x AND lyric:y','default_field':'title'}}} | true",
                "{'retriever':{'standard':{'query':{'match':{'lyric':'x'}}}}} | true",
                "{'query':'FROM songs ¦ WHERE match(lyric, ?)'} | true",
                "{'query':{'match':{'title':'a lyric of love'}}} | false",
                "{'query':{'match':{'lyrics':'x'}}} | false",
                "{'query':{'match':{'title':'x'}},'_source':['lyric']} | false",
                "{'query':{'multi_match':{'query':'x','fields':['title*','band']}}} | true",
                "{'query':{'multi_match':{'query':'x','fields':['band*']}}} | false",
            })
    void aSearchAsksTheFieldsThatItNames(String body, boolean asks) throws Exception {
        assertThat(FIELDS.areIn(
                        new ObjectMapper().readTree(body.replace('\'', '"').replace("¦", "|"))))
                .isEqualTo(asks);
    }

    @Test
    void aQueryStringWithoutADefaultFieldAsksAll() {
        assertThat(FIELDS.areIn(List.of("x"), false)).isTrue();
        assertThat(FIELDS.areIn(List.of("x", "title"), true)).isFalse();
        assertThat(FIELDS.areIn(List.of("lyric:x", "title"), true)).isTrue();
    }
}
