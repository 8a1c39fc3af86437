package io.kipimo.core.invalidation.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Compares random filters on random documents with a literal implementation of MongoDB's rules and with a third-party
 * one. {@code -Dkipimo.invalidation.pairs=1000000} sets the number of pairs.
 */
class FilterDifferentialTest {
    private static final int PAIRS = Integer.getInteger("kipimo.invalidation.pairs", Effort.of(5_000, 50_000));

    @Test
    void randomPairsAreMatchedAsInMongosSource() {
        RandomFilters random = new RandomFilters(new SplittableRandom(61));
        int matches = 0;
        for (int i = 0; i < PAIRS; i++) {
            Document filter = ExtendedJson.document(random.filter());
            Document document = ExtendedJson.document(random.document());
            boolean isMatch = Filter.parse(filter).matches(document);
            assertThat(isMatch)
                    .as("filter %s, document %s", filter, document)
                    .isEqualTo(NaiveMatcher.matches(filter, document));
            matches += isMatch ? 1 : 0;
        }
        assertThat(matches).isGreaterThan(PAIRS / 20);
    }

    @Test
    void randomPairsAreMatchedAsAnotherImplementationDoesWhereItIsRight() {
        RandomFilters random = new RandomFilters(new SplittableRandom(62));
        OtherImplementation other = new OtherImplementation();
        int compared = 0;
        int matches = 0;
        for (int i = 0; i < PAIRS; i++) {
            Map<String, Object> filter = random.filter();
            Map<String, Object> document = random.document();
            if (OtherImplementation.isKnownToDiffer(filter, document)) {
                continue;
            }
            Document parsed = ExtendedJson.document(document);
            boolean isMatch = Filter.parse(ExtendedJson.document(filter)).matches(parsed);
            assertThat(isMatch)
                    .as("filter %s, document %s", filter, document)
                    .isEqualTo(other.matches(filter, document));
            compared++;
            matches += isMatch ? 1 : 0;
        }
        assertThat(compared).isGreaterThan(PAIRS / 3);
        assertThat(matches).isGreaterThan(PAIRS / 50);
    }

    @Test
    void keysReadBackToFiltersThatSayTheSame() {
        RandomFilters random = new RandomFilters(new SplittableRandom(63));
        for (int i = 0; i < PAIRS / 10; i++) {
            Filter filter = Filter.parse(ExtendedJson.document(random.filter()));
            Filter again = Filter.parse(Json.json(filter.key()));
            assertThat(again.key()).isEqualTo(filter.key());
            for (int d = 0; d < 5; d++) {
                Document document = ExtendedJson.document(random.document());
                assertThat(again.matches(document))
                        .as("filter %s, document %s", filter.key(), document)
                        .isEqualTo(filter.matches(document));
            }
        }
    }
}
