package io.kipimo.bench.foreseen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.bench.foreseen.Foresight.Known;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Recordings of two components of which it is known what can be foreseen, and what that is worth. */
class DecisionsTest {
    private static final long DEADLINE = 300;
    private static final int QUERIES = 6_000;
    private static final long SEED = 7;
    private static final int REPEATS = 20;

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

    @Test
    void copiesOfForeseenCallsBringWhatTheOracleBringsAndOtherOnesDoNot() {
        Copies told = copies(someLate(true));
        // A tenth of the answers lacks half. Nine copies in ten take 150 and come by 250, the tenth is late again.
        assertThat(told.none().good()).isCloseTo(.9, within(.02));
        assertThat(told.foreseen(.1).good()).isCloseTo(.99, within(.015));
        assertThat(told.oracle(.1).good())
                .isGreaterThanOrEqualTo(told.foreseen(.1).good());
        Copies untold = copies(someLate(false));
        assertThat(untold.foreseen(.05).good()).isLessThan(.93);
        assertThat(untold.hedged(.05).copies()).isLessThanOrEqualTo(.05);
    }

    private static Copies copies(Recording recording) {
        return new Copies(recording, new Foresight(recording).expectedLosses(Moment.THIRD), SEED);
    }

    /** Half of the answers are degraded; of these a tenth lose .5, the others nothing. */
    @Test
    void thinningByTheSpreadOfLossErrsLessAndCoversTheTruthAndByChanceItDoesNot() {
        SplittableRandom random = new SplittableRandom(SEED);
        long[][] latencies = new long[QUERIES][];
        RecordedQuery[] queries = new RecordedQuery[QUERIES];
        for (int i = 0; i < QUERIES; i++) {
            boolean isDegraded = random.nextBoolean();
            boolean loses = random.nextInt(10) == 0;
            latencies[i] = new long[] {50, isDegraded ? 800 : 150};
            queries[i] = new RecordedQuery(
                    1_000L * i,
                    1_000L * i + 900,
                    1,
                    new long[0],
                    latencies[i],
                    new long[] {0b01, loses ? 0b10 : 0},
                    new double[Moment.values().length]);
        }
        Recording recording = new Recording(Arrays.asList(queries), DEADLINE);
        Thinning thinning = new Thinning(recording);
        double[] told = IntStream.range(0, QUERIES)
                .mapToDouble(i -> Math.pow(thinning.loss(i), 2))
                .toArray();
        double[] even = IntStream.range(0, QUERIES).mapToDouble(i -> 1).toArray();
        Thinning.ThinningErrors stratified = new Thinning.ThinningErrors();
        Thinning.ThinningErrors assisted = new Thinning.ThinningErrors();
        thinning.alike(told, REPEATS, SEED, stratified, assisted);
        Thinning.ThinningErrors thinned = new Thinning.ThinningErrors();
        thinning.thin(told, false, REPEATS, SEED, thinned);
        Thinning.ThinningErrors unthinned = new Thinning.ThinningErrors();
        thinning.thin(even, false, REPEATS, SEED, unthinned);

        assertThat(thinned.windows()).isEqualTo(REPEATS * QUERIES / 500);
        assertThat(thinned.rootMeanSquare()).isLessThan(.5 * stratified.rootMeanSquare());
        assertThat(unthinned.rootMeanSquare()).isGreaterThan(.9 * stratified.rootMeanSquare());
        // Horvitz and Thompson: 25 degraded answers of 250 lose .5, one in ten is seen and counts ten times.
        assertThat(unthinned.rootMeanSquare()).isCloseTo(Math.sqrt(25 * .9 / .1 * .25) / 500, within(.004));
        assertThat(thinned.cover()).isBetween(.85, 1.0);
    }
}
