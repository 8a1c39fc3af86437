package io.kipimo.bench.rating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Table;
import io.kipimo.core.rating.CourseStep;
import io.kipimo.core.rating.ExperimentEvaluator;
import io.kipimo.core.rating.RatingProtocol;
import io.kipimo.core.rating.RatingResults;
import io.kipimo.schemas.rating.ExperimentCountsBuilder;
import io.kipimo.schemas.rating.LoadModel;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.RatingTrial;
import io.kipimo.schemas.rating.TrialPurpose;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongToDoubleFunction;
import org.junit.jupiter.api.Test;

/** The comparison itself, on simulated stores; the benchmark runs it on real ones. */
class RatingStoresBenchmarkTest {
    private static final long MILLIS = 1_000;

    /** A store of known throughput with 2 % noise, whose requests are in time up to a load. */
    private static class Simulated implements RatingStoresBenchmark.Rater {
        private final LongToDoubleFunction throughput;
        private final double mostInTime;
        private final SplittableRandom random = new SplittableRandom(4);

        Simulated(LongToDoubleFunction throughput, double mostInTime) {
            this.throughput = throughput;
            this.mostInTime = mostInTime;
        }

        @Override
        public Rating rate(RatingRequest request) throws InterruptedException {
            List<RatingTrial> trials = new ArrayList<>();
            CourseStep step = RatingProtocol.next(request, trials);
            while (step instanceof CourseStep.CourseRun run) {
                trials.add(experiment(request, run));
                step = RatingProtocol.next(request, trials);
            }
            return RatingResults.over(request, trials, (CourseStep.CourseEnd) step, 1);
        }

        @Override
        public RatingTrial experiment(RatingRequest request, CourseStep.CourseRun run) throws InterruptedException {
            double noise = 1 + 0.02 * random.nextGaussian();
            long requests = Math.round(noise * throughput.applyAsDouble(run.load()));
            boolean inTime = run.load() <= mostInTime * (1 + 0.01 * random.nextGaussian());
            return ExperimentEvaluator.judge(
                    request,
                    run,
                    new ExperimentEvaluator.Measured(
                            1,
                            run.millis(),
                            0,
                            ExperimentCountsBuilder.builder()
                                    .requests(requests)
                                    .within(inTime ? requests : 0)
                                    .withinFromSending(inTime ? requests : 0)
                                    .answered(requests)
                                    .build(),
                            1,
                            1,
                            1,
                            1,
                            "",
                            false));
        }
    }

    private static Table compared(LoadModel model, RatingStoresBenchmark.Rater rater) throws InterruptedException {
        Table table = new Table("ratings");
        RatingStoresBenchmark.compare(
                "simulated",
                model,
                model == LoadModel.OPEN ? 10 : 1,
                model == LoadModel.OPEN ? 200 : 16,
                MILLIS,
                rater,
                table,
                new Context(Context.BenchmarkEffort.TINY, 1, Context.StateBackend.HASHMAP, System.err));
        return table;
    }

    private static List<Object> column(Table table, String name) {
        return table.rows().stream()
                .map(row -> row.get(table.columns().indexOf(name)))
                .toList();
    }

    @Test
    void allFindTheRateAboveWhichAStoreIsLate() throws Exception {
        Table table = compared(LoadModel.OPEN, new Simulated(load -> 10 * load, 87));

        assertThat(column(table, "by")).containsExactly("sweep", "adaptive", "golden");
        assertThat((double) column(table, "rating").get(0)).isCloseTo(870, within(40.0));
        assertThat(column(table, "within 5 %")).containsExactly("", "yes", "yes");
    }

    @Test
    void allFindThePlateauOfAStore() throws Exception {
        Table table = compared(LoadModel.CLOSED, new Simulated(load -> 9_000 * Math.min(2, load), 1e9));

        // Not the luckiest of sixteen readings, which is 4 % higher.
        assertThat((double) column(table, "rating").get(0)).isCloseTo(18_000, within(600.0));
        assertThat(column(table, "within 5 %")).containsExactly("", "yes", "yes");
    }

    /** The comparison must be able to fail. */
    @Test
    void aLoadThatIsTooLowIsNotWithinTheBar() throws Exception {
        Table table = compared(LoadModel.CLOSED, new Simulated(load -> 9_000 * Math.min(4, load), 1e9) {
            @Override
            public Rating rate(RatingRequest request) throws InterruptedException {
                return new Simulated(load -> 9_000, 1e9).rate(request);
            }
        });

        assertThat(column(table, "within 5 %")).containsExactly("", "NO", "NO");
    }

    /** The store gets slower from reading to reading, as a machine that others use. */
    @Test
    void driftOfTheMachineDoesNotCount() throws Exception {
        double[] speed = {1};
        Table table =
                compared(LoadModel.CLOSED, new Simulated(load -> 9_000 * Math.min(2, load) * (speed[0] *= 0.98), 1e9));

        assertThat((double) column(table, "rating").get(0))
                .isGreaterThan(1.2 * (double) column(table, "again").get(0));
        assertThat(column(table, "within 5 %")).containsExactly("", "yes", "yes");
    }

    @Test
    void theTwoActionsOfTable1StandBesideThePapers() {
        Table table = new Table("ratings");
        rated(table, "REDIS_VIEW_PROFILE", "sweep", 1e9);
        rated(table, "REDIS_VIEW_PROFILE", "adaptive", 20_000);
        rated(table, "REDIS_LIST_FRIENDS", "adaptive", 1_000);

        assertThat(RatingStoresBenchmark.table1(table)).endsWith("Redis here: 20,000 and 1,000, 20.0 times.");
        assertThat(RatingStoresBenchmark.table1(new Table("ratings"))).contains("NaN");
    }

    private static void rated(Table table, String store, String by, double rating) {
        table.row().cell("store", store).cell("by", by).cell("rating", rating);
    }

    @Test
    void aStoreThatAlwaysFailsHasNoRating() throws Exception {
        Table table = compared(LoadModel.OPEN, new Simulated(load -> 10 * load, 0));

        assertThat(column(table, "rating")).containsOnlyNulls();
        assertThat(column(table, "within 5 %")).element(1).asString().startsWith("unknown: NONE");
    }

    @Test
    void aLuckyPassAboveTheLimitDoesNotCount() throws Exception {
        int[] asked = {0};
        Sweep sweep = Sweep.of(100, load -> {
            boolean lucky = load == 62 && asked[0]++ == 0;
            return trial(load, load <= 60 || lucky);
        });

        assertThat(sweep.best()).hasValueSatisfying(b -> assertThat(b.load()).isEqualTo(60));
    }

    private static RatingTrial trial(long load, boolean passes) {
        try {
            return new Simulated(l -> 10 * l, passes ? 1e9 : 0)
                    .experiment(REQUEST, new CourseStep.CourseRun(1, load, TrialPurpose.CLIMB, MILLIS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final RatingRequest REQUEST =
            RatingStoresBenchmark.request("simulated", RatingTechnique.SWEEP, LoadModel.OPEN, 10, 200, MILLIS);
}
