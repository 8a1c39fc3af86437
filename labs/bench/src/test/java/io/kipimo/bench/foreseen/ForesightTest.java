package io.kipimo.bench.foreseen;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.bench.foreseen.Foresight.Known;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Recordings of two components of which it is known what can be foreseen. */
class ForesightTest {
    private static final long DEADLINE = 300;
    private static final int QUERIES = 6_000;
    private static final long SEED = 7;

    /** One query a second; each component has half of the answer. */
    private static Recording recording(IntToDoubleFunction costOf, long[][] latencies) {
        return new Recording(
                IntStream.range(0, latencies.length)
                        .mapToObj(i -> new RecordedQuery(
                                1_000L * i,
                                1_000L * i + 900,
                                costOf.applyAsDouble(i),
                                new long[0],
                                latencies[i],
                                new long[] {0b01, 0b10},
                                new double[Moment.values().length]))
                        .toList(),
                DEADLINE);
    }

    /** A tenth of the queries, which cost more if {@code isForeseen}, have a late second component. */
    private static Recording someLate(boolean isForeseen) {
        SplittableRandom random = new SplittableRandom(SEED);
        boolean[] isLate = new boolean[QUERIES];
        long[][] latencies = new long[QUERIES][];
        for (int i = 0; i < QUERIES; i++) {
            isLate[i] = random.nextInt(10) == 0;
            latencies[i] = new long[] {50, isLate[i] ? 800 : 150};
        }
        return recording(i -> isForeseen && isLate[i] ? 1_000 : 1, latencies);
    }

    @Test
    void loadIsThatOfTheQueriesThatHaveNoAnswerYet() {
        Recording two = recording(i -> 1, new long[][] {{50, 2_500}, {50, 150}, {50, 150}});
        assertThat(two.open(1_100)).isEqualTo(1);
        assertThat(two.outstanding(0, 1_040)).isEqualTo(1);
        assertThat(two.outstanding(1, 1_100)).isEqualTo(2);
        assertThat(two.quality(0)).isEqualTo(.5);
        assertThat(two.isComplete(1)).isTrue();
    }

    @Test
    void whatCostTellsIsForeseenByCostAloneAndNothingElseIs() {
        Recording told = someLate(true);
        double[] complete = IntStream.range(0, QUERIES)
                .mapToDouble(i -> told.isComplete(i) ? 1 : 0)
                .toArray();
        Foresight foresight = new Foresight(told);
        assertThat(areaUnderCurve(foresight, Known.LOAD, complete)).isBetween(.45, .55);
        assertThat(areaUnderCurve(foresight, Known.KIND, complete)).isGreaterThan(.99);
        assertThat(areaUnderCurve(new Foresight(someLate(false)), Known.ALL, complete))
                .isBetween(.45, .55);
    }

    private static double areaUnderCurve(Foresight foresight, Known known, double[] complete) {
        return Predictions.of(foresight.figure(Moment.START, known, i -> complete[i]), complete)
                .areaUnderCurve();
    }
}
