package io.kipimo.labs.social.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MemberChoiceTest {
    private static final int MEMBERS = 10_000;
    private static final int DRAWS = 400_000;
    private static final SocialGraph GRAPH = SocialGraph.of(MEMBERS, 10, 1).withCommunities(8);

    /** Sum of i^-0.73 over 1..2000 divided by the sum over 1..10000, computed by hand. */
    @Test
    void aFifthOfTheMembersTakesPartInMostActions() {
        double all = IntStream.rangeClosed(1, MEMBERS)
                .mapToDouble(i -> Math.pow(i, -0.73))
                .sum();
        double fifth = IntStream.rangeClosed(1, 2_000)
                .mapToDouble(i -> Math.pow(i, -0.73))
                .sum();
        assertThat(fifth / all).isCloseTo(0.62, within(0.005));

        MemberChoice choice = new MemberChoice(GRAPH, 0.27, 0, 1);
        SplittableRandom random = new SplittableRandom(1);
        long within = IntStream.range(0, DRAWS)
                .filter(i -> choice.draw(random) < 2_000)
                .count();
        assertThat(within / (double) DRAWS).isCloseTo(fifth / all, within(0.005));
    }

    @Test
    void generatorsDrawFromTheirCommunitiesByTheSameLaw() {
        int of = 3;
        double whole = weight(0, 1);
        for (int index = 0; index < of; index++) {
            MemberChoice choice = new MemberChoice(GRAPH, 0.27, index, of);
            SplittableRandom random = new SplittableRandom(index);
            int[] counts = new int[MEMBERS];
            for (int i = 0; i < DRAWS; i++) {
                counts[choice.draw(random)]++;
            }
            for (int member = 0; member < MEMBERS; member++) {
                if (GRAPH.community(member) % of != index) {
                    assertThat(counts[member]).isZero();
                }
            }
            double own = weight(index, of);
            for (int member = 0; member < 24; member++) {
                if (GRAPH.community(member) % of == index) {
                    assertThat(counts[member] / (double) DRAWS)
                            .isCloseTo(Math.pow(member + 1, -0.73) / own, within(0.004));
                }
            }
            // 8 communities for 3 generators: 3, 3 and 2.
            assertThat(own / whole).isBetween(0.22, 0.42);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MemberChoice(GRAPH, 0.27, 0, 9))
                .withMessageContaining("as many as communities, which are 8");
    }

    private static double weight(int index, int of) {
        return IntStream.range(0, MEMBERS)
                .filter(member -> GRAPH.community(member) % of == index)
                .mapToDouble(member -> Math.pow(member + 1, -0.73))
                .sum();
    }
}
