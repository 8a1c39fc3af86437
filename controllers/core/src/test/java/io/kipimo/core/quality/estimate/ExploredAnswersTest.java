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
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Estimates of control batches of {@link SearchServiceModel}. All queries but the explored ones ask fewer components,
 * so lateness costs them half as much. Explored queries are one in fifty, and are always sampled: with one in fifty of
 * the others sampled, they are half of the samples.
 */
class ExploredAnswersTest {
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

    /** 1,600 batches a row with all runs: the standard error is 0.5 %. */
    @ParameterizedTest
    @CsvSource({"mild, 0.02", "heavy, 0.02", "heavy, 0.1"})
    void weightedByTheirKnownProbabilityExploredQueriesDoNotBias(String name, double rate) {
        Load load = name.equals("mild") ? Load.MILD : Load.HEAVY;
        judge(load, rate, false);
        double unweighted = bias / judged;
        judge(load, rate, true);
        double coverage = (double) covered / judged;
        System.out.printf(
                Locale.ROOT,
                "explored answers, %s load, %.2f sampled: bias %+.4f without weights, %+.4f with;" + " coverage %.3f%n",
                name,
                rate,
                unweighted,
                bias / judged,
                coverage);

        assertThat(unweighted).as("the bias without weights").isLessThan(-LEAST_BIAS);
        assertThat(Math.abs(bias / judged)).isLessThan(MOST_BIAS);
        assertThat(coverage).isBetween(0.93 - Effort.slack(0.03), 0.98);
    }

    private void judge(Load load, double rate, boolean isMarked) {
        covered = 0;
        judged = 0;
        bias = 0;
        for (int seed = 0; seed < RUNS; seed++) {
            run(seed, load, rate, isMarked);
        }
    }

    /** @param isMarked whether measurements say that their queries were explored */
    private void run(long seed, Load load, double rate, boolean isMarked) {
        SearchServiceModel service = new SearchServiceModel(seed, load, 1.0 / JUDGED_BATCHES, batch -> 0.3);
        ClassWindows state = new ClassWindows();
        for (int batch = 0; batch < LEARNED_BATCHES + JUDGED_BATCHES; batch++) {
            long second = BEGIN_MILLIS + 1000L * batch;
            Map<String, Long> missing = new TreeMap<>();
            long timedOut = 0;
            double truth = 0;
            for (Query query : service.batch(batch, BATCH_QUERIES)) {
                boolean isExplored = Exploration.isExplored(query.id(), EXPLORED);
                double quality = isExplored ? query.quality() : (1 + query.quality()) / 2;
                truth += quality / BATCH_QUERIES;
                timedOut += query.degraded() ? 1 : 0;
                query.missing().forEach(c -> missing.merge(c, 1L, Long::sum));
                if (isExplored || ConsistentSampling.isSampled(query.id(), rate)) {
                    QualityWindows.add(state, policy, measurement(query, quality, isMarked && isExplored, second));
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
                            .missing(counts(missing))
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
    }

    private static List<MissingCount> counts(Map<String, Long> missing) {
        return missing.entrySet().stream()
                .map(m -> new MissingCount(m.getKey(), m.getValue()))
                .toList();
    }

    private Measurement measurement(Query query, double quality, boolean isExplored, long atMillis) {
        List<ComponentShare> components = new ArrayList<>();
        for (String component : query.missing()) {
            components.add(new ComponentShare(component, Outcome.TIMED_OUT, 1, false, 0, 0));
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
                        .map(metric -> new Score(metric, quality, quality))
                        .toList())
                .components(components)
                .explored(isExplored)
                .build();
    }
}
