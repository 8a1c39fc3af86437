package io.kipimo.core.quality.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import io.kipimo.core.quality.estimate.SearchServiceModel.Load;
import io.kipimo.core.quality.estimate.SearchServiceModel.Query;
import io.kipimo.core.quality.join.Events;
import io.kipimo.core.quality.window.ClassWindows;
import io.kipimo.core.quality.window.QualityWindows;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.core.sampling.Exploration;
import io.kipimo.schemas.observation.MissingCount;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Score;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Estimates of control batches of {@link SearchServiceModel} whose queries ask fewer components. The true quality is
 * the mean over all answers of a batch; few of them are sampled. With all runs a row has 1,600 batches, so the standard
 * error of its coverage is 0.5 %.
 */
class FewerAskedTest {
    private static final int BATCH_QUERIES = 100;
    private static final int LEARNED_BATCHES = 300;
    private static final int JUDGED_BATCHES = 80;
    private static final int RUNS = Effort.of(3, 20);
    private static final double EXPLORED = 0.02;
    private static final double LEAST_BIAS = 0.01;
    private static final double MOST_BIAS = 0.005;
    private static final long BEGIN_MILLIS = 1_767_225_660_000L;

    private final Policy policy = Events.policy();
    private int covered;
    private int judged;
    private double bias;
    private double deliberate;

    /** @param lost share of the full answer that was lost on purpose, as its front end states it */
    private record Answered(double quality, double lost, boolean explored, boolean sampled) {}

    static Stream<Arguments> explored() {
        return Effort.first(1, Arguments.of("mild", 0.02), Arguments.of("heavy", 0.02), Arguments.of("heavy", 0.1));
    }

    /**
     * All queries but the explored ones ask fewer components, so lateness costs them half as much. Explored queries are
     * one in fifty, and are always sampled: with one in fifty of the others sampled, they are half of the samples.
     */
    @ParameterizedTest
    @MethodSource("explored")
    void weightedByTheirKnownProbabilityExploredQueriesDoNotBias(String load, double rate) {
        judge(load, random -> query -> explored(query, rate, false));
        double unweighted = bias / judged;
        judge(load, random -> query -> explored(query, rate, true));
        double coverage = print("explored", load, rate);

        assertThat(unweighted).as("the bias without weights").isLessThan(-LEAST_BIAS);
        assertThat(Math.abs(bias / judged)).isLessThan(MOST_BIAS);
        assertThat(coverage).isBetween(0.93 - Effort.slack(0.03), 0.98);
    }

    /** @param isMarked whether measurements say that their queries were explored */
    private static Answered explored(Query query, double rate, boolean isMarked) {
        boolean isExplored = Exploration.isExplored(query.id(), EXPLORED);
        return new Answered(
                isExplored ? query.quality() : (1 + query.quality()) / 2,
                0,
                isMarked && isExplored,
                isExplored || ConsistentSampling.isSampled(query.id(), rate));
    }

    static Stream<Arguments> trimmed() {
        return Effort.first(1, Arguments.of("heavy", 0.05), Arguments.of("mild", 0.02), Arguments.of("mild", 0.2));
    }

    /** Four of ten answers did not ask some component, and lost up to a fifth of the full answer by it. */
    @ParameterizedTest
    @MethodSource("trimmed")
    void theIntervalCoversWhatIsLostOnPurposeAndByLateness(String load, double rate) {
        judge(load, random -> query -> {
            double lost = random.nextInt(10) < 4 ? 0.2 * random.nextDouble() : 0;
            return new Answered(
                    (1 - lost) * query.quality(), lost, false, ConsistentSampling.isSampled(query.id(), rate));
        });
        double coverage = print("trimmed", load, rate);

        assertThat(coverage).isBetween(0.93 - Effort.slack(0.03), 0.98);
        assertThat(Math.abs(bias / judged)).isLessThan(0.01);
        assertThat(deliberate / judged).as("0.4 of the answers lose 0.1").isBetween(0.035, 0.045);
    }

    private double print(String answers, String load, double rate) {
        double coverage = (double) covered / judged;
        System.out.printf(
                Locale.ROOT,
                "%s answers, %s load, %.2f sampled: coverage %.3f, bias %+.4f%n",
                answers,
                load,
                rate,
                coverage,
                bias / judged);
        return coverage;
    }

    private void judge(String load, Function<Random, Function<Query, Answered>> answers) {
        covered = 0;
        judged = 0;
        bias = 0;
        deliberate = 0;
        for (int seed = 0; seed < RUNS; seed++) {
            run(seed, load.equals("mild") ? Load.MILD : Load.HEAVY, answers.apply(new Random(seed)));
        }
    }

    private void run(long seed, Load load, Function<Query, Answered> answers) {
        SearchServiceModel service = new SearchServiceModel(seed, load, 1.0 / JUDGED_BATCHES, batch -> 0.3);
        ClassWindows state = new ClassWindows();
        for (int batch = 0; batch < LEARNED_BATCHES + JUDGED_BATCHES; batch++) {
            long second = BEGIN_MILLIS + 1000L * batch;
            Map<String, Long> missing = new TreeMap<>();
            long timedOut = 0;
            long notAsked = 0;
            double lost = 0;
            double truth = 0;
            for (Query query : service.batch(batch, BATCH_QUERIES)) {
                Answered answer = answers.apply(query);
                truth += answer.quality / BATCH_QUERIES;
                timedOut += query.degraded() ? 1 : 0;
                notAsked += answer.lost > 0 ? 1 : 0;
                lost += answer.lost;
                query.missing().forEach(c -> missing.merge(c, 1L, Long::sum));
                if (answer.sampled) {
                    QualityWindows.add(state, policy, measurement(query, answer, second));
                }
            }
            List<QualityWindow> windows = QualityWindows.add(
                    state,
                    policy,
                    ObservationBuilder.builder()
                            .service("shop")
                            .tier("front")
                            .server("fe-1")
                            .queryClass("high")
                            .secondMillis(second)
                            .offered(BATCH_QUERIES)
                            .answered(BATCH_QUERIES)
                            .timedOut(timedOut)
                            .bill(MeasurementBill.NOTHING)
                            .admittedFraction(1)
                            .missing(missing.entrySet().stream()
                                    .map(m -> new MissingCount(m.getKey(), m.getValue()))
                                    .toList())
                            .notAsked(notAsked)
                            .notAskedLossSum(lost)
                            .build());
            if (batch >= LEARNED_BATCHES) {
                judge(windows.get(0), truth);
            }
        }
    }

    private void judge(QualityWindow window, double truth) {
        Estimate estimate = window.estimate().orElseThrow();
        judged++;
        covered += estimate.low() <= truth + 1e-9 && truth <= estimate.high() + 1e-9 ? 1 : 0;
        bias += estimate.mean() - truth;
        deliberate += window.deliberateLoss();
    }

    private Measurement measurement(Query query, Answered answer, long atMillis) {
        List<ComponentShare> components = new ArrayList<>();
        for (String component : query.missing()) {
            components.add(new ComponentShare(component, Outcome.TIMED_OUT, 1, false, 0, 0));
        }
        if (answer.lost > 0) {
            components.add(new ComponentShare("archive", Outcome.NOT_ASKED, 0, false, 0, 0));
        }
        return Measurement.builder()
                .service("shop")
                .queryId(query.id())
                .queryClass("high")
                .startedAtMillis(atMillis)
                .measuredAtMillis(atMillis)
                .completeness(Completeness.COMPLETE)
                .degraded(query.degraded())
                .scores(policy.metrics().stream()
                        .map(metric -> new Score(metric, answer.quality, answer.quality))
                        .toList())
                .components(components)
                .notAskedLoss(answer.lost > 0 ? Optional.of(answer.lost) : Optional.empty())
                .explored(answer.explored)
                .build();
    }
}
