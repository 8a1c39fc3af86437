package io.kipimo.gateway.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.merge.ItemDictionary;
import io.kipimo.core.quality.merge.Merges;
import io.kipimo.core.quality.merge.Part;
import io.kipimo.core.quality.similarity.Ranking;
import io.kipimo.gateway.config.Engine;
import io.kipimo.gateway.index.IndexFacts;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every preset reads the forms in which its engine answers; sources are beside the files. */
class EngineAnswersTest {
    private static final List<String> said = new CopyOnWriteArrayList<>();

    private static ResponseReading read(String file) throws IOException {
        try (InputStream in = EngineAnswersTest.class.getResourceAsStream("engines/" + file)) {
            return read(engine(file), in.readAllBytes());
        }
    }

    private static Engine engine(String file) {
        return Engine.of(file.substring(0, file.indexOf('-')));
    }

    private static ResponseReading read(Engine engine, byte[] body) {
        ResponseReader reader = new ResponseReader(
                new JsonItems(engine.items()),
                engine.items(),
                Optional.of(engine),
                new Demands(engine.items(), Optional.empty(), Optional.empty(), false),
                1 << 20,
                new Complaints("front", said::add, () -> 0));
        String path = engine.only().get(0).glob().replace("*", "/x");
        return reader.read(
                Optional.of(new RecordedResponse(200, List.of(), body)),
                true,
                reader.demand(path, List.of(), false, new byte[0], IndexFacts.NOT_ASKED));
    }

    private static Map<String, Outcome> parts(String file) throws IOException {
        Map<String, Outcome> parts = new LinkedHashMap<>();
        read(file).parts().forEach(part -> parts.put(part.component(), part.outcome()));
        return parts;
    }

    @ParameterizedTest
    @CsvSource({
        "opensearch-clean.json, opensearch",
        "elasticsearch-sorted.json, elasticsearch",
        "elasticsearch-skipped.json, elasticsearch",
        "solr-clean.json, solr",
        "vespa-clean.json, vespa",
        "vespa-none.json, vespa",
        "vespa-groups.json, vespa",
        "qdrant-query.json, qdrant",
        "qdrant-search.json, qdrant"
    })
    void anAnswerWithoutASignOfACutIsWhole(String file, String component) throws IOException {
        assertThat(parts(file)).isEqualTo(Map.of(component, Outcome.IN_TIME));
        assertThat(read(file).isCut()).isFalse();
    }

    @Test
    void aCutNamesTheEngineAndTheShardWhereItSaysSo() throws IOException {
        assertThat(parts("opensearch-timed-out.json")).isEqualTo(Map.of("opensearch", Outcome.TIMED_OUT));
        assertThat(parts("opensearch-terminated-early.json")).isEqualTo(Map.of("opensearch", Outcome.TIMED_OUT));
        assertThat(parts("solr-time-allowed.json"))
                .isEqualTo(Map.of("solr", Outcome.TIMED_OUT, "docs_shard2", Outcome.TIMED_OUT));
        assertThat(parts("solr-max-hits.json"))
                .isEqualTo(Map.of("solr", Outcome.TIMED_OUT, "docs_shard3", Outcome.TIMED_OUT));
        assertThat(parts("vespa-match-phase.json")).isEqualTo(Map.of("vespa", Outcome.TIMED_OUT));
    }

    @Test
    void failedShardsAreNamedAndThoseWithoutANameFailTheEngine() throws IOException {
        assertThat(parts("elasticsearch-failed.json"))
                .isEqualTo(Map.of(
                        "elasticsearch", Outcome.FAILED, "plays[0]", Outcome.FAILED, "plays[1]", Outcome.FAILED));
        assertThat(parts("solr-shard-down.json")).isEqualTo(Map.of("solr", Outcome.FAILED));
        assertThat(parts("solr-shard-down-info.json"))
                .isEqualTo(Map.of(
                        "solr", Outcome.IN_TIME, "unknown_shard_1", Outcome.FAILED, "docs_shard4", Outcome.FAILED));
        assertThat(parts("opensearch-node-gone.json")).isEqualTo(Map.of("opensearch", Outcome.FAILED));
        assertThat(parts("elasticsearch-node-gone.json")).isEqualTo(Map.of("elasticsearch", Outcome.FAILED));
        assertThat(parts("vespa-rounded.json")).isEqualTo(Map.of("vespa", Outcome.FAILED));
        assertThat(parts("vespa-nodes-down.json")).isEqualTo(Map.of("vespa", Outcome.FAILED));
    }

    @Test
    void itemsAreInTheEnginesOrder() throws IOException {
        Items hits = read("opensearch-clean.json").items();
        assertThat(hits.texts()).containsExactly("plays/32", "plays-2/32");
        assertThat(hits.scores()).containsExactly(2.5f, 1.25f);
        Items sorted = read("elasticsearch-sorted.json").items();
        assertThat(sorted.texts()).containsExactly("plays/c", "plays/a", "plays/b");
        assertThat(sorted.scores()).containsExactly(1, 1 / 2f, 1 / 3f);
        assertThat(read("solr-max-hits.json").items().scores()).containsExactly(1, 1 / 2f);
        assertThat(read("vespa-clean.json").items().scores()).containsExactly(0.25f, 0.125f);
        assertThat(read("vespa-none.json").items().size()).isZero();
        assertThat(read("vespa-groups.json").items().texts()).containsExactly("index:tracks/63f9");
        assertThat(read("qdrant-search.json").items().texts()).containsExactly("10", "14", "11");
        assertThat(read("qdrant-query.json").items().texts())
                .containsExactly("42", "550e8400-e29b-41d4-a716-446655440000");
    }

    /** Equal scores, as of filters and constant_score: with more items than k, the first k count. */
    @ParameterizedTest
    @CsvSource({"1.0, 1.0", "2.0, 1.0", "0.0, -0.0", "1.0, null"})
    void ofItemsWithEqualScoresTheFirstOfTheListCount(String first, String others) {
        List<String> shown = new ArrayList<>();
        StringBuilder docs = new StringBuilder();
        for (int i = 0; i < 25; i++) {
            // Neither ascending nor descending.
            shown.add("d" + i * 7 % 25);
            docs.append(i == 0 ? "" : ",")
                    .append("{'id':'%s','score':%s}".formatted(shown.get(i), i == 0 ? first : others));
        }
        String body = "{'responseHeader':{'status':0},'response':{'docs':[" + docs + "]}}";

        Items items = read(Engine.of("solr"), body.replace('\'', '"').getBytes(StandardCharsets.UTF_8))
                .items();

        ItemDictionary dictionary = ItemDictionary.of(List.of(items));
        Ranking answer = Merges.of(new MergePolicy(MergeKind.REPLAYED_ANSWERS, List.of(), Map.of()))
                .merge(List.of(new Part("solr", dictionary.toNumbers(items))), 10);
        assertThat(IntStream.range(0, answer.size()).mapToObj(i -> dictionary.text(answer.id(i))))
                .isEqualTo(shown.subList(0, 10));
    }

    @Test
    void aQueryThatIsCutBeforeItBeginsHasNoItems() {
        byte[] body = """
            {"responseHeader":{"status":0,"partialResults":true,"partialResultsDetails":"x"}}
            """.getBytes(StandardCharsets.UTF_8);

        ResponseReading reading = read(Engine.of("solr"), body);

        assertThat(reading.isReadable()).isTrue();
        assertThat(reading.isCut()).isTrue();
        assertThat(reading.items().isEmpty()).isTrue();
    }

    /** With a sort of the caller's, the first item is not the one of the best score. */
    @Test
    void scoresThatAreNotTheListsOrderDoNotRank() {
        byte[] body = """
            {"responseHeader":{"status":0},"response":{"docs":[{"id":"a","score":1.0},{"id":"b","score":2.0}]}}
            """.getBytes(StandardCharsets.UTF_8);

        assertThat(read(Engine.of("solr"), body).items().scores()).containsExactly(1, 1 / 2f);
    }

    /** {@code omitHeader}, {@code filter_path}: nothing shows a cut, so nothing shows that there is none. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "solr | {'response':{'docs':[]}}",
                "opensearch | {'hits':{'hits':[]}}",
                "opensearch | {'timed_out':false,'hits':{'hits':[]}}",
                "opensearch | {'timed_out':false,'_shards':{'failed':0},'hits':{'hits':[]}}",
                "elasticsearch | {'error':{'type':'x'},'status':400}",
                "vespa | {'root':{'fields':{'totalCount':0}}}",
                "qdrant | {'result':[]}"
            })
    void anAnswerThatDoesNotSayWhetherItIsWholeCannotBeRead(Engine engine, String body) {
        ResponseReading reading = read(engine, body.replace('\'', '"').getBytes(StandardCharsets.UTF_8));

        assertThat(reading.unreadable()).contains(Unreadable.FORM);
        assertThat(reading.parts()).isEmpty();
    }

    /** The answer of another engine, or one in another format. */
    @Test
    void aWrongPresetIsSaid() {
        said.clear();
        read(Engine.of("solr"), "{\"hits\":{\"hits\":[]}}".getBytes(StandardCharsets.UTF_8));
        read(Engine.of("opensearch"), new byte[] {2, 3});

        assertThat(said)
                .containsExactly(
                        "front: a response cannot be read (the response has no"
                                + " '/responseHeader/status'); check engine, items, and that the"
                                + " answer's format is json",
                        "front: a response cannot be read (the response is not JSON); check engine,"
                                + " items, and that the answer's format is json");
    }
}
