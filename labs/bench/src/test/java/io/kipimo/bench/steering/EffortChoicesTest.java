package io.kipimo.bench.steering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Known answers, worked out by hand. */
class EffortChoicesTest {
    /** Half of the queries is easy: it loses nothing at the cheapest level. The other half does. */
    private static final EffortChoices TWO_KINDS = new EffortChoices(
            new EffortSamples(
                    "s",
                    List.of("full", "half", "tenth"),
                    new double[3],
                    List.of(
                            group(10, new double[] {1, 1, 1}, 100, 50, 10),
                            group(10, new double[] {1, .95, .5}, 300, 150, 30)),
                    List.of(
                            group(4, new double[] {1, 1, 1}, 100, 50, 10),
                            group(4, new double[] {1, .95, .5}, 300, 150, 30))),
            0.9);

    private static EffortSamples.QueryGroup group(int size, double[] quality, double... cpuMicros) {
        double[][] all = new double[size][];
        Arrays.fill(all, quality);
        return new EffortSamples.QueryGroup(all, cpuMicros);
    }

    @Test
    void fixedLevelsAreTheMeansOfAllQueriesCheapestFirst() {
        assertThat(TWO_KINDS.fixed())
                .containsExactly(
                        new EffortChoices.EffortPoint(20, 0.75, 0.5),
                        new EffortChoices.EffortPoint(100, 0.975, 1),
                        new EffortChoices.EffortPoint(200, 1, 1));
    }

    @Test
    void aLevelByGroupSparesTheEasyOnes() {
        assertThat(TWO_KINDS.byGroup())
                .containsExactly(
                        new EffortChoices.EffortPoint(20, 0.75, 0.5),
                        new EffortChoices.EffortPoint(80, 0.975, 1),
                        new EffortChoices.EffortPoint(155, 1, 1),
                        new EffortChoices.EffortPoint(200, 1, 1));
    }

    @Test
    void thePerfectChoiceIsNoWorseThanOneByGroup() {
        EffortChoices mixed = new EffortChoices(
                new EffortSamples(
                        "s",
                        List.of("full", "tenth"),
                        new double[2],
                        List.of(group(2, new double[] {1, .5}, 100, 10)),
                        List.of(new EffortSamples.QueryGroup(new double[][] {{1, 0}, {1, 1}}, new double[] {100, 10}))),
                0.9);
        assertThat(mixed.perfect())
                .containsExactly(new EffortChoices.EffortPoint(10, 0.5, 0.5), new EffortChoices.EffortPoint(55, 1, 1));
    }

    @Test
    void theFixedLevelIsTheCheapestThatKeepsTheFloor() {
        assertThat(TWO_KINDS.fixedAt(0.975)).containsOnly(1);
        assertThat(TWO_KINDS.fixedAt(0.976)).containsOnly(0);
        assertThat(TWO_KINDS.fixedAt(0.7)).containsOnly(2);
    }

    @Test
    void uniformAdmissionAndCostliestFirstSpendTheSame() {
        int[] full = TWO_KINDS.same(0);
        // 100 of the 200 that a query needs: each second query; or all easy ones, and 1/6 more.
        assertThat(TWO_KINDS.serve(full, 100, false)).isEqualTo(new EffortChoices.ServedClass(0.5, 1, 0.5));
        EffortChoices.ServedClass costliestFirst = TWO_KINDS.serve(full, 100, true);
        assertThat(costliestFirst.admitted()).isEqualTo((4 + 4.0 / 3) / 8, within(1e-9));
        assertThat(costliestFirst.good()).isEqualTo((4 + 4.0 / 3) / 8, within(1e-9));
        // More than it needs.
        assertThat(TWO_KINDS.serve(full, 1_000, false).admitted()).isEqualTo(1);
        assertThat(TWO_KINDS.serve(full, 1_000, true).admitted()).isEqualTo(1);
    }

    @Test
    void aBudgetIsUsedForTheMostGoodAnswersAboveTheFloor() {
        // 80 micros suffice for all at .975, with the easy ones at a tenth.
        int[] levels = TWO_KINDS.byGroupWithin(0.95, 80, false);
        assertThat(levels).containsExactly(2, 1);
        assertThat(TWO_KINDS.serve(levels, 80, false)).isEqualTo(new EffortChoices.ServedClass(1, 0.975, 1));
        // Nothing keeps a floor of more than 1 but full.
        assertThat(TWO_KINDS.byGroupWithin(1.1, 80, false)).containsOnly(0);
    }

    @Test
    void shareOfAnEmptyAnswerIsAllOfIt() {
        assertThat(EffortSamples.share(List.of(), List.of())).isEqualTo(1);
        assertThat(EffortSamples.share(List.of("a", "b"), List.of("b", "c"))).isEqualTo(0.5);
        assertThat(EffortSamples.share(List.of("a"), List.of())).isZero();
    }
}
