package io.kipimo.core.quality.window;

import io.kipimo.core.admission.CostDeciles;
import io.kipimo.core.quality.estimate.CostMemory;
import io.kipimo.core.quality.estimate.CostModel;
import io.kipimo.core.quality.estimate.CostSums;
import io.kipimo.core.quality.estimate.MissingCounts;
import io.kipimo.core.quality.estimate.SampledWindow;
import io.kipimo.core.quality.estimate.StratumCounts;
import io.kipimo.core.quality.estimate.WindowEstimate;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.ComponentAttribution;
import io.kipimo.schemas.quality.CostDecile;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.quality.WindowKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Makes the sliding windows and control batches of one class. A measurement counts at the time of measuring, not at the
 * start of its query, so that a window is final when event time passes its end. A measurement for a closed pane counts
 * in the oldest open pane, so none is lost.
 */
public final class QualityWindows {
    /** The first batch ends with the usual number of queries, divided by this. */
    private static final int FIRST_LOOK = 10;

    /** A batch is worse if its time-outs exceed the expected number by over one plus so many standard deviations. */
    private static final double WORSE_DEVIATIONS = 3;

    private QualityWindows() {}

    /** Adds one measurement. */
    public static void add(ClassWindows state, Policy policy, Measurement measurement) {
        PaneTally tally = new PaneTally(measurement.measuredAtMillis());
        tally.add(measurement);
        add(state, policy, tally.toPane(), tally.costs());
    }

    /** Adds the sums of some measurements. They count in the pane that contains the start of these sums. */
    public static void add(ClassWindows state, Policy policy, ClassPane measurements) {
        add(state, policy, measurements.pane, measurements.costs);
    }

    private static void add(ClassWindows state, Policy policy, Pane measurements, CostSums costs) {
        paneOf(state, policy, measurements.startMillis).add(measurements);
        state.batch.add(measurements);
        if (state.batchCosts == null) {
            state.batchCosts = new CostSums();
        }
        state.batchCosts.plus(costs);
    }

    /**
     * Adds the counts of one second.
     *
     * @return the windows of the control batch that this second completes, one a metric; empty if it completes none. A
     *     batch ends with N queries or after a time T, whichever is first, but at most once a second. The first batch
     *     after a start or idleness ends with a tenth of N. A batch of the highest class also ends if the class gets
     *     worse
     */
    public static List<QualityWindow> add(ClassWindows state, Policy policy, Observation observation) {
        paneOf(state, policy, observation.secondMillis()).add(observation);
        state.batch.add(observation);
        long second = observation.secondMillis();
        if (state.batch.startMillis == 0) {
            state.batch.startMillis = second;
        }
        if (second <= state.batchSecondMillis) {
            return List.of();
        }
        long end = second + 1000;
        long fromMillis = state.batch.startMillis - policy.windowMillis();
        long answered = total(state, fromMillis, pane -> pane.answered);
        boolean isHighest =
                observation.queryClass().equals(policy.highestClass().name());
        // What a lower class offers has to be known soon, and quality only with its answers.
        long queries = isHighest ? state.batch.answered : Math.max(state.batch.offered, state.batch.answered);
        boolean isFull = queries >= queriesPerBatch(answered, state.batch, policy)
                || (isHighest
                        && isWorse(
                                answered,
                                total(state, fromMillis, pane -> pane.timedOut),
                                state.batch,
                                policy.highestClass().objective()));
        boolean isOver = end - state.batch.startMillis >= policy.admission().periodMillis();
        if (!isFull && !isOver) {
            return List.of();
        }
        state.batchSecondMillis = second;
        Pane batch = state.batch;
        state.batch = new Pane(end);
        Pane averaged = sum(state, end - policy.windowMillis(), Long.MAX_VALUE);
        List<QualityWindow> windows = windows(
                state,
                policy,
                observation.service(),
                observation.queryClass(),
                WindowKind.BATCH,
                batch.startMillis,
                end,
                batch,
                averaged);
        learn(state);
        return windows;
    }

    /**
     * Number of queries that end a batch. A tenth of the usual number ends the first batch after a start or idleness:
     * everything is admitted until that batch ends, so a short batch shows overload sooner.
     *
     * @param answered queries answered in the averaging window, including those of the batch
     */
    private static long queriesPerBatch(long answered, Pane batch, Policy policy) {
        long queries = policy.admission().batchQueries();
        boolean isFirst = answered == batch.answered;
        return isFirst ? (queries + FIRST_LOOK - 1) / FIRST_LOOK : queries;
    }

    /**
     * Whether clearly more answers of a batch lack a component than in the answers before it, and than the objective
     * allows if each such answer lost everything.
     *
     * @param answered number of answers in the averaging window, including the batch
     * @param timedOut number of these answers that lack a component
     */
    private static boolean isWorse(long answered, long timedOut, Pane batch, double objective) {
        long before = answered - batch.answered;
        double usual = before <= 0 ? 0 : Math.max(0, timedOut - batch.timedOut) / (double) before;
        double expected = batch.answered * Math.max(usual, 1 - objective);
        return batch.timedOut > expected + 1 + WORSE_DEVIATIONS * Math.sqrt(expected);
    }

    /** Learns from the samples of a batch after it was estimated without them. */
    private static void learn(ClassWindows state) {
        if (state.batchCosts != null && !state.batchCosts.isEmpty()) {
            if (state.costs == null) {
                state.costs = new CostMemory();
            }
            state.costs.learn(state.batchCosts);
            state.batchCosts = new CostSums();
        }
    }

    /** End of the next slide, epoch milliseconds; empty if the window is empty. */
    public static Optional<Long> nextSlideEndMillis(ClassWindows state, Policy policy) {
        return state.panes.isEmpty()
                ? Optional.empty()
                : Optional.of(Math.max(state.closedUntilMillis, state.panes.get(0).startMillis) + policy.slideMillis());
    }

    /**
     * Closes the slide that ends at {@code endMillis}, which event time has passed.
     *
     * @return the sliding windows that end there, one a metric; none if they would be empty
     */
    public static List<QualityWindow> closeSlide(
            ClassWindows state, Policy policy, String service, String queryClass, long endMillis) {
        long startMillis = endMillis - policy.windowMillis();
        state.closedUntilMillis = Math.max(state.closedUntilMillis, endMillis);
        state.panes.removeIf(p -> p.startMillis < startMillis);
        Pane sum = sum(state, startMillis, endMillis);
        if (sum.isEmpty()) {
            return List.of();
        }
        return windows(
                state, policy, service, queryClass, WindowKind.SLIDING, Math.max(startMillis, 1), endMillis, sum, sum);
    }

    private static Pane paneOf(ClassWindows state, Policy policy, long millis) {
        long slide = policy.slideMillis();
        long start = Math.max(Math.floorDiv(millis, slide) * slide, state.closedUntilMillis);
        for (Pane pane : state.panes) {
            if (pane.startMillis == start) {
                return pane;
            }
        }
        Pane pane = new Pane(start);
        state.panes.add(pane);
        state.panes.sort(Comparator.comparingLong(p -> p.startMillis));
        return pane;
    }

    /** Sum of one count over the panes from a time on. It is needed each second; all other sums only with a batch. */
    private static long total(ClassWindows state, long fromMillis, ToLongFunction<Pane> count) {
        long total = 0;
        for (Pane pane : state.panes) {
            total += pane.startMillis >= fromMillis ? count.applyAsLong(pane) : 0;
        }
        return total;
    }

    private static Pane sum(ClassWindows state, long fromMillis, long untilMillis) {
        Pane sum = new Pane(fromMillis);
        for (Pane pane : state.panes) {
            if (pane.startMillis >= fromMillis && pane.startMillis < untilMillis) {
                sum.add(pane);
            }
        }
        return sum;
    }

    private static List<QualityWindow> windows(
            ClassWindows state,
            Policy policy,
            String service,
            String queryClass,
            WindowKind kind,
            long startMillis,
            long endMillis,
            Pane pane,
            Pane averaged) {
        double objective =
                policy.classPolicy(queryClass).map(ClassPolicy::objective).orElse(0.0);
        List<ComponentAttribution> attributions = attributions(pane);
        List<CostDecile> deciles = CostDeciles.of(averaged.costs());
        List<QualityWindow> windows = new ArrayList<>(policy.metrics().size());
        for (String metric : policy.metrics()) {
            MetricSums sums = pane.metrics.getOrDefault(metric, MetricSums.NONE);
            MetricSums wide = averaged.metrics.getOrDefault(metric, MetricSums.NONE);
            Optional<CostModel> costs = state.costs == null ? Optional.empty() : CostModel.of(state.costs, metric);
            SampledWindow window = sampled(pane, sums, metric);
            SampledWindow average = sampled(averaged, wide, metric);
            WindowEstimate estimate = WindowEstimate.of(window, average, costs, kind != WindowKind.BATCH);
            windows.add(QualityWindow.builder()
                    .service(service)
                    .queryClass(queryClass)
                    .metric(metric)
                    .kind(kind)
                    .startMillis(startMillis)
                    .endMillis(endMillis)
                    .offered(pane.offered)
                    .rejected(pane.rejected)
                    .answered(pane.answered)
                    .timedOut(pane.timedOut)
                    .samples(sums.all().count())
                    .degradedSamples(sums.degradedLow().count())
                    .expired(pane.expired)
                    .orphans(pane.orphans)
                    .estimate(estimate.estimate())
                    .estimator(Optional.of(estimate.estimator()))
                    .costDeciles(deciles)
                    .averaged(
                            kind == WindowKind.BATCH
                                    ? WindowEstimate.of(average, average, costs, true)
                                            .estimate()
                                    : Optional.empty())
                    .averagedSamples(kind == WindowKind.BATCH ? wide.all().count() : 0)
                    .plainMean(sums.all().mean())
                    .standardDeviation(sums.all().standardDeviation())
                    .p5(sums.histogram().quantile(0.05))
                    .p50(sums.histogram().quantile(0.5))
                    .minimum(sums.histogram().minimum())
                    .belowObjective(sums.histogram().shareBelow(objective))
                    .objective(objective)
                    .components(attributions)
                    .failedMature(pane.degraded == 0 ? 0 : Math.min(1, (double) pane.expired / pane.degraded))
                    .maturePer100Queries(pane.answered == 0 ? 0 : 100.0 * pane.complete / pane.answered)
                    .lossPerTimeOut(
                            wide.degradedLow().count() == 0
                                    ? Optional.empty()
                                    : Optional.of(1 - wide.degradedLow().mean()))
                    .bill(pane.bill)
                    .unmeasurable(pane.allUnmeasurable(sums.degradedLow().count()))
                    .unmeasurableSamples(pane.unmeasurableSamples)
                    .notAsked(pane.notAsked)
                    .deliberateLoss(window.counts().strata().meanDeliberateLoss())
                    .represented(sums.all().weight())
                    .listed(pane.listed)
                    .empty(pane.empty)
                    .build());
        }
        return windows;
    }

    private static SampledWindow sampled(Pane pane, MetricSums sums, String metric) {
        return new SampledWindow(
                counts(pane, sums), pane.explored(metric), pane.countsMissing() && pane.differingSamples == 0);
    }

    private static MissingCounts counts(Pane pane, MetricSums sums) {
        StratumCounts strata = StratumCounts.ofMeasurable(
                pane.answered,
                pane.timedOut,
                Unmeasurable.sum(pane.unmeasurable()),
                pane.unmeasurableSamples,
                pane.differingSamples,
                sums.all().count() - sums.degradedLow().count(),
                sums.degradedLow(),
                sums.degradedHigh());
        return new MissingCounts(
                strata.withDeliberateLoss(pane.deliberateLoss(strata.answered())),
                pane.missing(),
                pane.sampledMissing());
    }

    private static List<ComponentAttribution> attributions(Pane pane) {
        // The sums have weights; what is stated is of the samples.
        double rate = pane.backlogRate();
        Map<String, Long> notAsked = pane.notAskedComponents();
        return Stream.concat(pane.components.keySet().stream(), notAsked.keySet().stream())
                .distinct()
                .map(component -> {
                    ComponentSums sums = pane.components.getOrDefault(component, ComponentSums.NONE);
                    return new ComponentAttribution(
                            component,
                            sums.invoked(),
                            sums.timedOut(),
                            sums.lostQuality() * rate,
                            notAsked.getOrDefault(component, 0L));
                })
                .sorted(Comparator.comparingDouble(ComponentAttribution::lostQuality)
                        .reversed()
                        .thenComparing(ComponentAttribution::component))
                .toList();
    }
}
