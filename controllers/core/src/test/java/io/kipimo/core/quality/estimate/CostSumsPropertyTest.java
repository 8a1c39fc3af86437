package io.kipimo.core.quality.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class CostSumsPropertyTest {
    private static final String METRIC = "tpr@20";

    private record Answer(List<String> lacked, double low, double high) {
        void addTo(CostSums sums) {
            sums.add(lacked);
            sums.addLoss(lacked, METRIC, low, high);
        }
    }

    private static List<Answer> answers(Random random, int names) {
        List<Answer> answers = new ArrayList<>();
        for (int i = random.nextInt(60); i > 0; i--) {
            List<String> lacked = new ArrayList<>();
            for (int c = 0; c < names; c++) {
                if (random.nextInt(names) < 3) {
                    lacked.add("c" + c);
                }
            }
            double high = random.nextDouble();
            answers.add(new Answer(lacked, high * random.nextDouble(), high));
        }
        return answers;
    }

    private static CostSums sums(List<Answer> answers) {
        CostSums sums = new CostSums();
        answers.forEach(answer -> answer.addTo(sums));
        return sums;
    }

    @Property(tries = 500, seed = "71")
    void sumsOfPartsAreTheSumsOfAll(@ForAll long seed) {
        Random random = new Random(seed);
        List<Answer> some = answers(random, 8);
        List<Answer> others = answers(random, 8);
        List<Answer> all = new ArrayList<>(others);
        all.addAll(some);

        CostSums together = sums(some);
        together.plus(sums(others));

        assertSame(together, sums(all));
    }

    /** The answers' components are more than have a place, and get theirs in another order. */
    @Property(tries = 200, seed = "72")
    void whateverTheNamesTheStateIsBoundedAndNoLossIsLost(@ForAll long seed) {
        Random random = new Random(seed);
        List<Answer> some = answers(random, 300);
        List<Answer> others = answers(random, 300);

        CostSums together = sums(some);
        together.plus(sums(others));

        assertThat(together.components.length).isLessThanOrEqualTo(CostSums.MOST_COMPONENTS + 1);
        double absences = 0;
        double squaredAbsences = 0;
        for (List<Answer> part : List.of(some, others)) {
            for (Answer answer : part) {
                absences += answer.lacked.size();
                squaredAbsences += answer.lacked.size() * answer.lacked.size();
            }
        }
        assertThat(sum(together.missing)).isCloseTo(absences, within(1e-6));
        double pairs = 0;
        for (int i = 0; i < together.components.length; i++) {
            for (int j = 0; j < together.components.length; j++) {
                pairs += together.pairs[CostSums.pair(i, j)];
            }
        }
        assertThat(pairs).isCloseTo(squaredAbsences, within(1e-6));
    }

    @Property(tries = 200, seed = "73")
    void itRemembersAboutAsManyAnswersAsItShall(@ForAll long seed) {
        Random random = new Random(seed);
        CostSums memory = new CostSums();
        for (int batch = 0; batch < 400; batch++) {
            memory.learn(sums(answers(random, 4)), 100);
        }
        assertThat(memory.answers).isBetween(80.0, 140.0);
        assertThat(memory.answers * memory.answers / memory.squaredWeights).isGreaterThan(60);
    }

    /** Deployments rename components for ever. */
    @Property(tries = 20, seed = "74")
    void newNamesGetThePlacesOfForgottenOnes(@ForAll long seed) {
        Random random = new Random(seed);
        CostSums memory = new CostSums();
        for (int deployment = 0; deployment < 40; deployment++) {
            for (int batch = 0; batch < 200; batch++) {
                CostSums newer = new CostSums();
                List<String> lacked = List.of("d" + deployment + "-" + random.nextInt(8), "always");
                newer.add(lacked);
                newer.addLoss(lacked, METRIC, 0.5, 0.5);
                memory.learn(newer, 10);
            }
            String newest = "d" + deployment + "-";
            assertThat(memory.components).anyMatch(name -> name.startsWith(newest));
        }
        assertThat(memory.components.length).isLessThanOrEqualTo(CostSums.MOST_COMPONENTS + 1);
    }

    private static void assertSame(CostSums actual, CostSums expected) {
        assertThat(actual.answers).isEqualTo(expected.answers);
        assertThat(actual.components).containsExactlyInAnyOrder(expected.components);
        for (String one : expected.components) {
            int a = List.of(actual.components).indexOf(one);
            int e = List.of(expected.components).indexOf(one);
            assertThat(actual.missing[a]).isEqualTo(expected.missing[e]);
            assertThat(actual.losses.get(METRIC).lossWithout[a])
                    .isCloseTo(expected.losses.get(METRIC).lossWithout[e], within(1e-9));
            for (String two : expected.components) {
                int b = List.of(actual.components).indexOf(two);
                int f = List.of(expected.components).indexOf(two);
                assertThat(actual.pairs[CostSums.pair(a, b)]).isEqualTo(expected.pairs[CostSums.pair(e, f)]);
            }
        }
        if (expected.answers > 0) {
            CostSums.MetricLosses losses = actual.losses.get(METRIC);
            CostSums.MetricLosses all = expected.losses.get(METRIC);
            assertThat(losses.loss).isCloseTo(all.loss, within(1e-9));
            assertThat(losses.squaredLoss).isCloseTo(all.squaredLoss, within(1e-9));
            assertThat(losses.unseen).isCloseTo(all.unseen, within(1e-9));
        }
    }

    private static double sum(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum;
    }
}
