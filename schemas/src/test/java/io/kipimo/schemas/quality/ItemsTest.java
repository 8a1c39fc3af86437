package io.kipimo.schemas.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class ItemsTest {
    private static Items of(float... scores) {
        return Items.ofNumbers(new long[scores.length], scores);
    }

    /** Few values, so that there are ties, and those at the ends of floats. */
    @Provide
    Arbitrary<float[]> scores() {
        return Arbitraries.of(1f, Math.nextDown(1f), 0f, -0f, Float.MIN_VALUE, -Float.MAX_VALUE, Float.MAX_VALUE)
                .array(float[].class)
                .ofMaxSize(40);
    }

    @Property(seed = "20261126")
    void scoresFallAsScoresAndThenPlacesDo(@ForAll("scores") float[] scores) {
        float[] falling = of(scores).inOrder().scores();

        List<Integer> wanted = IntStream.range(0, scores.length)
                .boxed()
                .sorted(Comparator.comparing(i -> scores[i] == 0 ? -0f : -scores[i]))
                .toList();
        for (int rank = 0; rank < falling.length; rank++) {
            assertThat(falling[rank]).isFinite();
            if (rank > 0) {
                assertThat(falling[wanted.get(rank)]).isLessThan(falling[wanted.get(rank - 1)]);
            }
        }
    }

    @Test
    void scoresThatDifferStay() {
        assertThat(of(3, 1, 2).inOrder().scores()).containsExactly(3, 1, 2);
        assertThat(of(2, 2, 1).inOrder().scores()).containsExactly(2, Math.nextDown(2f), 1);
    }

    @Test
    void whatNoReaderAcceptsIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(1, Float.NaN).inOrder())
                .withMessageContaining("the score of item 1 is NaN");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Items.ofTexts(new String[] {"a", ""}, new float[] {2, 1})
                        .inOrder())
                .withMessageContaining("the identifier of item 1 is empty");
    }
}
