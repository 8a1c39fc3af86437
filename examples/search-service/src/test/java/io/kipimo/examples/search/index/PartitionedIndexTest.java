package io.kipimo.examples.search.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.schemas.quality.Features;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.Query;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionedIndexTest {
    private final QueryLanguage language = new QueryLanguage();

    @Test
    void oneSourceIsInTheFirstPartitionTheOtherEvenlyInTheRest() {
        assertThat(BuiltIndexes.SKEWED.partitions())
                .extracting(Partition::documents)
                .satisfies(sizes -> assertThat(sizes.get(0)).isEqualTo(4_400))
                .satisfies(sizes -> assertThat(sizes.subList(1, 4))
                        .allSatisfy(size -> assertThat(size).isBetween(9_815, 9_816)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "parliament",
                "commission report",
                "small furry animal with a long tail",
                "\"european union\" member states of the union",
                "der die das und nicht mit"
            })
    void mergedPartitionsEqualASingleIndex(String text) throws IOException {
        Query query = language.parse(text);
        List<Hits> parts = new ArrayList<>();
        for (Partition partition : BuiltIndexes.SKEWED.partitions()) {
            parts.add(partition.search(query, 20, Partition.Cut.NEVER).hits());
        }

        Hits merged = Hits.merge(parts, 20);
        Hits single = single(query);

        assertThat(merged.ids()).containsExactly(single.ids());
        assertThat(merged.scores()).containsExactly(single.scores(), within(1e-4f));
    }

    @Test
    void predictedCostsGrowWithTheWork() {
        QueryForecast forecast = BuiltIndexes.SKEWED.forecast();

        assertThat(forecast.cost("unheardofword")).isEqualTo(1);
        assertThat(forecast.cost("parliament")).isGreaterThan(forecast.cost("unheardofword"));
        assertThat(forecast.cost("\"parliament commission\"")).isGreaterThan(forecast.cost("parliament"));
        assertThat(forecast.cost("parlament~2"))
                .isEqualTo(forecast.cost("*ment"))
                .isGreaterThan(forecast.cost("parliament"));
    }

    @Test
    void aForecastTellsWhereAQuerysWordsOccur() {
        QueryForecast forecast = BuiltIndexes.SKEWED.forecast();

        Features unknown = forecast.features("unheardofword");
        assertThat(unknown).isEqualTo(Features.ofTexts(List.of("unheardofword")));
        assertThat(forecast.features("\"parliament commission\"").size())
                .isEqualTo(2 * BuiltIndexes.SKEWED.partitions().size() + 2);
    }

    @Test
    void aSearchThatIsCutFindsNothing() throws IOException {
        Partition.PartitionSearch search = BuiltIndexes.SKEWED
                .partitions()
                .get(0)
                .search(language.parse("the of and to in is that"), 20, () -> true);

        assertThat(search.complete()).isFalse();
        assertThat(search.hits().size()).isZero();
    }

    @Test
    void fuzzyWordsAndWordEndingsAreScored() throws IOException {
        assertThat(single(language.parse("parlament~2")).size()).isEqualTo(20);
        float[] scores = single(language.parse("*ology")).scores();
        assertThat(scores[0]).isGreaterThan(scores[19]);
    }

    @Test
    void tiesFallAsTrecEvalOrdersThem() {
        Hits one = new Hits(new long[] {7, 3}, new float[] {2, 1});
        Hits other = new Hits(new long[] {9, 5}, new float[] {2, 1});

        assertThat(Hits.merge(List.of(one, other), 3).ids()).containsExactly(9, 7, 5);
    }

    @Test
    void theVocabularySurvivesItsText() {
        Vocabulary vocabulary = BuiltIndexes.SKEWED.vocabulary();

        assertThat(Vocabulary.ofLines(vocabulary.toLines())).isEqualTo(vocabulary);
        assertThat(vocabulary.words()).hasSizeGreaterThan(50_000);
        assertThat(vocabulary.phrases()).hasSizeGreaterThan(2_500);
    }

    private static Hits single(Query query) throws IOException {
        return BuiltIndexes.SINGLE
                .partitions()
                .get(0)
                .search(query, 20, Partition.Cut.NEVER)
                .hits();
    }
}
