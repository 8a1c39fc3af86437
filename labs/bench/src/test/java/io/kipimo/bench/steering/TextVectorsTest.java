package io.kipimo.bench.steering;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.examples.search.corpus.CorpusDocument;
import io.kipimo.examples.search.corpus.CorpusSource;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TextVectorsTest {
    private static final String LETTERS = "abcdefghijklmnopqrst";

    /** Documents of 100 topics with twenty words each. */
    private static List<CorpusDocument> documents() {
        SplittableRandom random = new SplittableRandom(3);
        return IntStream.range(0, 4_000)
                .mapToObj(i -> {
                    StringBuilder text = new StringBuilder();
                    for (int w = 0; w < 8; w++) {
                        text.append(word(i % 100, random.nextInt(20))).append(' ');
                    }
                    return new CorpusDocument(i, CorpusSource.WORDNET, "", text.toString());
                })
                .toList();
    }

    private static String word(int topic, int number) {
        return "" + LETTERS.charAt(topic / 20) + LETTERS.charAt(topic % 20) + LETTERS.charAt(number) + "x";
    }

    @Test
    void textsOfOneTopicAreNearThoughTheyShareNoWord() {
        TextVectors vectors = new TextVectors(documents(), 1);
        float[] first = vectors.of(word(7, 1) + " " + word(7, 2)).vector();
        float[] same = vectors.of(word(7, 11) + " " + word(7, 12)).vector();
        float[] other = vectors.of(word(8, 1) + " " + word(8, 2)).vector();
        assertThat(WordVectors.dot(first, first)).isBetween(0.999f, 1.001f);
        assertThat(WordVectors.dot(first, same)).isGreaterThan(0.4f);
        assertThat(WordVectors.dot(first, other)).isLessThan(WordVectors.dot(first, same) - 0.3f);
    }

    @Test
    void unknownWordsHaveNoVector() {
        TextVectors.Embedding unknown = new TextVectors(documents(), 1).of("unknown");
        assertThat(unknown.represented()).isZero();
        assertThat(unknown.vector()).containsOnly(0f);
    }
}
