package io.kipimo.core.quality.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import io.kipimo.core.quality.estimate.SearchServiceModel.Load;
import io.kipimo.core.quality.estimate.SearchServiceModel.Query;
import io.kipimo.core.quality.join.Events;
import io.kipimo.core.quality.window.ClassWindows;
import io.kipimo.core.quality.window.QualityWindows;
import io.kipimo.core.sampling.ConsistentSampling;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Estimates of control batches of {@link SearchServiceModel} in which four of ten answers did not ask some component,
 * and lost up to a fifth of the full answer by it. The true quality is the mean of {@code (1 - d) q} over all answers
 * of a batch; few of them are sampled.
 */
class TrimmedAnswersTest {
    private static final int BATCH_QUERIES = 100;
    private static final int LEARNED_BATCHES = 300;
    private static final int JUDGED_BATCHES = 80;
    private static final int RUNS = Effort.of(3, 20);
    private static final long BEGIN_MILLIS = 1_767_225_660_000L;

    private final Policy policy = Events.policy();
    private int covered;
    private int judged;
    private double bias;
    private double deliberate;

    /** 1,600 batches a row with all runs: the standard error is 0.5 %. */
    @ParameterizedTest
    @CsvSource({"mild, 0.02", "mild, 0.2", "heavy, 0.05"})
    void theIntervalCoversWhatIsLostOnPurposeAndByLateness(String load, double rate) {
        for (int seed = 0; seed < RUNS; seed++) {
            run(seed, load.equals("mild") ? Load.MILD : Load.HEAVY, rate);
        }
        double coverage = (double) covered / judged;
        System.out.printf(
                Locale.ROOT,
                "trimmed answers, %s load, %.2f sampled: coverage %.3f, bias %+.4f%n",
                load,
                rate,
                coverage,
                bias / judged);

        assertThat(coverage).isBetween(0.93 - Effort.slack(0.03), 0.98);
        assertThat(Math.abs(bias / judged)).isLessThan(0.01);
        assertThat(deliberate / judged).as("0.4 of the answers lose 0.1").isBetween(0.035, 0.045);
    }

    private void run(long seed, Load load, double rate) {
        Random random = new Random(seed);
        SearchServiceModel service = new SearchServiceModel(seed, load, 1.0 / JUDGED_BATCHES, batch -> 0.3);
        ClassWindows state = new ClassWindows();
        for (int batch = 0; batch < LEARNED_BATCHES + JUDGED_BATCHES; batch++) {
            long second = BEGIN_MILLIS + 1000L * batch;
            Map<String, Long> missing = new TreeMap<>();
            long timedOut = 0;
            long notAsked = 0;
            double notAskedLoss = 0;
            double truth = 0;
            for (Query query : service.batch(batch, BATCH_QUERIES)) {
                double loss = random.nextInt(10) < 4 ? 0.2 * random.nextDouble() : 0;
                truth += (1 - loss) * query.quality() / BATCH_QUERIES;
                timedOut += query.degraded() ? 1 : 0;
                notAsked += loss > 0 ? 1 : 0;
                notAskedLoss += loss;
                query.missing().forEach(c -> missing.merge(c, 1L, Long::sum));
                if (ConsistentSampling.isSampled(query.id(), rate)) {
                    QualityWindows.add(state, policy, measurement(query, loss, second));
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
                            .notAsked(notAsked)
                            .notAskedLossSum(notAskedLoss)
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

    private static List<MissingCount> counts(Map<String, Long> missing) {
        return missing.entrySet().stream()
                .map(m -> new MissingCount(m.getKey(), m.getValue()))
                .toList();
    }

    private Measurement measurement(Query query, double loss, long atMillis) {
        double quality = (1 - loss) * query.quality();
        List<ComponentShare> components = new ArrayList<>();
        for (String component : query.missing()) {
            components.add(new ComponentShare(component, Outcome.TIMED_OUT, 1, false, 0, 0));
        }
        if (loss > 0) {
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
                        .map(metric -> new Score(metric, quality, quality))
                        .toList())
                .components(components)
                .notAskedLoss(loss > 0 ? Optional.of(loss) : Optional.empty())
                .build();
    }
}
