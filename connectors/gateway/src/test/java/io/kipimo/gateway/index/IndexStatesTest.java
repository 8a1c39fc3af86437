package io.kipimo.gateway.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.gateway.config.Engine;
import io.kipimo.gateway.index.IndexStates.DueRead;
import io.vertx.core.MultiMap;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IndexStatesTest {
    private static final long MINUTE = IndexStates.INTERVAL_NANOS;
    private static final MultiMap NOBODY = MultiMap.caseInsensitiveMultiMap();

    private final IndexStates states =
            new IndexStates(Engine.of("qdrant").index().orElseThrow());

    private IndexFacts asked(String collection, long now) {
        return states.asked("/collections/" + collection + "/points/query?timeout=3", NOBODY, now);
    }

    private static IndexFacts said(String engine, String json) {
        return IndexFacts.of(
                Engine.of(engine).index().orElseThrow(), json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void anIndexIsReadOnceAMinuteAsLongAsItIsAsked() {
        assertThat(asked("c", 0).isKnown()).isFalse();
        List<DueRead> due = states.due(0);
        assertThat(due).extracting(DueRead::target).containsExactly("/collections/c");
        assertThat(states.due(2 * MINUTE)).as("under way").isEmpty();
        states.came(due.get(0), said("qdrant", "{}"), 1);

        assertThat(asked("c", 2).isKnown()).isTrue();
        assertThat(states.due(MINUTE - 1)).isEmpty();
        assertThat(states.due(MINUTE)).hasSize(1);
    }

    @Test
    void whatIsOldIsUnknown() {
        asked("c", 0);
        states.came(states.due(0).get(0), said("qdrant", "{}"), 0);
        states.came(states.due(MINUTE).get(0), IndexFacts.unknown("was answered with status 403"), MINUTE);

        assertThat(asked("c", 3 * MINUTE).isKnown()).isTrue();
        assertThat(asked("c", 3 * MINUTE + 1).unknown()).contains("for minutes");
        assertThat(states.count(false, 3 * MINUTE + 1)).isEqualTo(1);
    }

    @Test
    void whatNobodyAsksIsForgottenAndNotRead() {
        asked("c", 0);
        states.came(states.due(0).get(0), said("qdrant", "{}"), 0);

        assertThat(states.due(IndexStates.FORGOTTEN_NANOS + 1)).isEmpty();
        assertThat(states.count(true, 0)).isZero();
    }

    @Test
    void indexesAndReadsAreBounded() {
        for (int i = 0; i <= IndexStates.MOST_INDEXES; i++) {
            asked("c" + i, 0);
        }

        assertThat(asked("another", 0).unknown()).contains("too many");
        assertThat(states.due(0)).hasSize(IndexStates.MOST_READS);
        assertThat(states.due(0)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'result':{'update_queue':{'length':0,'deferred_points':7}}} | true",
                "{'result':{'update_queue':{'length':3,'deferred_points':0}}} | false",
                "{'result':{'points_count':3}} | false",
            })
    void pointsThatWaitForTheirIndexAreHidden(String answer, boolean hides) {
        assertThat(said("qdrant", answer).hides().isEmpty()).isEqualTo(!hides);
    }

    @Test
    void whatIsNoAnswerOfTheApiSaysNothing() {
        assertThat(said("qdrant", "<html>").isKnown()).isFalse();
        assertThat(said("qdrant", "[]").isKnown()).isFalse();
    }

    @Test
    void fieldsThatAreSearchedByVectorsAreThoseOfTheTypeAndTheirOtherNames() {
        IndexFacts facts = said(
                "elasticsearch",
                "{'songs':{'mappings':{'properties':{'lyric':{'type':'semantic_text'},'title':{'type':'text',"
                        + "'fields':{'near':{'type':'semantic_text'}}},'words':{'type':'alias','path':'lyric'},"
                        + "'band':{'properties':{'story':{'type':'semantic_text'}}}}}}}");

        assertThat(facts.vectorFields()).containsExactlyInAnyOrder("lyric", "title.near", "words", "band.story");
        assertThat(said("elasticsearch", "{'six':{'mappings':{'doc':{'properties':{'t':{'type':'semantic_text'}}}}}}")
                        .vectorFields())
                .containsExactly("t");
        assertThat(said("elasticsearch", "{}").vectorFields()).isEmpty();
    }
}
