package io.kipimo.examples.search.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.examples.search.index.BuiltIndexes;
import io.kipimo.examples.search.index.QueryLanguage;
import io.kipimo.examples.search.index.Vocabulary;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class QueryWriterTest {
    private static final QueryWriter WRITER = new QueryWriter(BuiltIndexes.SKEWED.vocabulary());

    @Test
    void everyQueryOfEveryMixIsInTheLanguage() {
        SplittableRandom random = new SplittableRandom(1);
        QueryLanguage language = new QueryLanguage();
        for (QueryMix mix : QueryMix.ALL) {
            for (QueryMix.MixPhase phase : mix.phases()) {
                for (int i = 0; i < 200; i++) {
                    assertThat(language.parse(WRITER.write(phase, random))).isNotNull();
                }
            }
        }
    }

    @Test
    void sharesAreThoseOfThePhase() {
        SplittableRandom random = new SplittableRandom(2);
        QueryMix.MixPhase phase = new QueryMix.MixPhase(0.3, 0.5, QueryTopic.WORDNET);
        List<String> queries =
                random.ints(2_000).mapToObj(i -> WRITER.write(phase, random)).toList();

        assertThat(queries).filteredOn(query -> query.contains("~2")).hasSizeBetween(540, 660);
        assertThat(queries).filteredOn(query -> query.startsWith("*")).hasSizeBetween(930, 1_070);
    }

    @Test
    void wordsAreDrawnByTheSquareRootOfTheirDocumentFrequency() {
        Vocabulary vocabulary = new Vocabulary(
                List.of(
                        new Vocabulary.VocabularyEntry("never", 0, 0),
                        new Vocabulary.VocabularyEntry("often", 81, 0),
                        new Vocabulary.VocabularyEntry("seldom", 0, 1)),
                List.of(new Vocabulary.VocabularyEntry("two words", 1, 1)));
        QueryWriter writer = new QueryWriter(vocabulary);
        SplittableRandom random = new SplittableRandom(3);
        QueryMix.MixPhase light = new QueryMix.MixPhase(0, 0, QueryTopic.ANY);
        String all = String.join(
                " ",
                random.ints(4_000).mapToObj(i -> writer.write(light, random)).toList());

        assertThat(all).doesNotContain("never");
        long often = all.lines()
                .flatMap(l -> List.of(l.split(" ")).stream())
                .filter("often"::equals)
                .count();
        long words = all.split(" ").length;
        assertThat((double) often / words).isBetween(0.88, 0.92);
    }

    @Test
    void anUnknownMixIsRefusedWithTheKnownOnes() {
        assertThatThrownBy(() -> QueryMix.named("mild"))
                .hasMessageContaining("mild")
                .hasMessageContaining("heavier, topic-shift");
    }
}
