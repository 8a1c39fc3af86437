package io.kipimo.examples.search.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.examples.search.corpus.Corpus;
import io.kipimo.schemas.quality.Features;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.lucene.search.Query;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
    void aKeptIndexAnswersAsTheOneThatWasBuiltUnlessItIsDamaged(@TempDir Path cache) throws IOException {
        Corpus few = BuiltIndexes.CORPUS.everyNth(200);
        long[] built = ids(PartitionedIndex.skewed(few, Optional.of(cache)));
        assertThat(built).isNotEmpty();
        List<Path> kept;
        try (Stream<Path> all = Files.list(cache)) {
            kept = all.toList();
        }
        assertThat(kept).hasSize(4);
        FileTime writtenAt = Files.getLastModifiedTime(kept.get(0));

        assertThat(ids(PartitionedIndex.skewed(few, Optional.of(cache)))).isEqualTo(built);
        assertThat(Files.getLastModifiedTime(kept.get(0))).isEqualTo(writtenAt);
        for (Path index : kept) {
            damage(index);
        }
        assertThat(ids(PartitionedIndex.skewed(few, Optional.of(cache)))).isEqualTo(built);
        assertThat(kept).allSatisfy(index -> assertThat(index).isDirectory());
        Corpus other = new Corpus(few.documents().subList(1, few.documents().size()));
        assertThat(PartitionedIndex.skewed(other, Optional.of(cache)).documents())
                .isEqualTo(few.documents().size() - 1);
    }

    /** Of what the query finds, with the documents of all partitions. */
    private long[] ids(PartitionedIndex index) throws IOException {
        List<Hits> parts = new ArrayList<>();
        for (Partition partition : index.partitions()) {
            parts.add(partition
                    .search(language.parse("commission of the report"), 20, Partition.Cut.NEVER)
                    .hits());
        }
        return Hits.merge(parts, 20).ids();
    }

    /** Changes a byte in the middle of the largest file. */
    private static void damage(Path index) throws IOException {
        Path largest;
        try (Stream<Path> files = Files.list(index)) {
            largest = files.max(Comparator.comparingLong(file -> file.toFile().length()))
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(largest);
        bytes[bytes.length / 2] ^= 1;
        Files.write(largest, bytes);
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
