package io.kipimo.core.quality.window;

import io.kipimo.core.admission.CostTally;
import io.kipimo.core.quality.estimate.CostSums;
import io.kipimo.core.quality.estimate.ExploredStratum;
import io.kipimo.schemas.observation.ComponentCount;
import io.kipimo.schemas.observation.CostCount;
import io.kipimo.schemas.observation.MissingCount;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.HashMap;
import java.util.Map;

/** All sums of one class over an interval of event time. Mutable, owned by its window; stored field by field. */
public final class Pane {
    /** Limit of component names, because names come from the data; {@link #OTHERS} sums up further components. */
    private static final int MOST_COMPONENTS = 2_000;

    private static final String OTHERS = CostSums.OTHERS;

    public long startMillis;
    public long offered;
    public long rejected;
    public long answered;
    public long timedOut;
    public MeasurementBill bill = MeasurementBill.NOTHING;

    /** Unmeasurable answers by reason, as the front ends counted; null in state of version 0.1.0. */
    public Map<Unmeasurable, Long> unmeasurable = new HashMap<>();

    /** Part of {@code timedOut} whose missing components were counted. */
    public long timedOutCounted;

    /** In how many answers of {@code timedOutCounted} each component was missing; null in state of version 0.1.0. */
    public Map<String, Long> missing = new HashMap<>();

    /** In how many sampled degraded answers each component was missing; null in state of version 0.1.0. */
    public Map<String, Long> sampledMissing = new HashMap<>();

    /** Part of {@code sampledMissing} that is of explored queries; null in earlier state. */
    public Map<String, Long> exploredMissing = new HashMap<>();

    /** Part of {@code metrics} that is of explored queries; null in earlier state. */
    public Map<String, MetricSums> exploredMetrics = new HashMap<>();

    /** Number of answers that did not ask some component. */
    public long notAsked;

    /** Sum of the deliberate losses of the answers in {@code notAsked}, 0..notAsked. */
    public double notAskedLossSum;

    /** In how many answers each component was not asked; null in state of version 0.1.0. */
    public Map<String, Long> notAskedComponents = new HashMap<>();

    /** Number of answers whose list of items front ends read. */
    public long listed;

    /** Number of answers whose list of items was read and has no item. */
    public long empty;

    /** Sum of the deliberate losses of the samples. */
    public double sampledDeliberateLoss;

    /** Queries with a predicted cost, by {@code CostBins}; null in state of version 0.1.0. */
    public Map<Integer, CostTally> costs = new HashMap<>();

    /** Number of measurable samples. */
    public int samples;

    /** Queries that the samples represent in addition to themselves, if the job sampled a backlog. */
    public long furtherRepresented;

    public int unmeasurableSamples;

    /** Part of {@code unmeasurableSamples} that is degraded and whose answer is not the policy's merge. */
    public int differingSamples;

    public int degraded;
    public int complete;
    public int expired;
    public int orphans;
    public Map<String, MetricSums> metrics = new HashMap<>();
    public Map<String, ComponentSums> components = new HashMap<>();

    public Pane() {}

    Pane(long startMillis) {
        this.startMillis = startMillis;
    }

    boolean isEmpty() {
        return offered == 0 && answered == 0 && samples == 0 && unmeasurableSamples == 0 && orphans == 0;
    }

    void add(Observation observation) {
        offered += observation.offered();
        rejected += observation.rejected();
        answered += observation.answered();
        timedOut += observation.timedOut();
        addUnmeasurable(observation.unmeasurable());
        bill = bill.plus(observation.bill());
        for (ComponentCount count : observation.components()) {
            add(count.component(), new ComponentSums(count.invoked(), count.timedOut(), 0, 0));
        }
        for (CostCount count : observation.costs()) {
            addCost(count.bin(), new CostTally(count.offered(), count.answered(), count.workMicros()));
        }
        notAsked += observation.notAsked();
        notAskedLossSum += observation.notAskedLossSum();
        listed += observation.listed();
        empty += observation.empty();
        notAskedComponents = orEmpty(notAskedComponents);
        for (MissingCount count : observation.notAskedComponents()) {
            add(notAskedComponents, count.component(), count.answers());
        }
        if (observation.countsMissing()) {
            timedOutCounted += observation.timedOut();
            missing = orEmpty(missing);
            for (MissingCount count : observation.missing()) {
                add(missing, count.component(), count.answers());
            }
        }
    }

    /** In how many answers each component was not asked. */
    Map<String, Long> notAskedComponents() {
        return notAskedComponents == null ? Map.of() : notAskedComponents;
    }

    /**
     * Sum of the deliberate losses of the measurable answers. Front ends count it; if they do not, it is extrapolated
     * from the samples.
     *
     * @param measurable number of measurable answers
     */
    double deliberateLoss(long measurable) {
        return notAsked > 0 || samples == 0 ? notAskedLossSum : measurable * sampledDeliberateLoss / samples;
    }

    private void addCost(int bin, CostTally tally) {
        if (costs == null) {
            costs = new HashMap<>();
        }
        costs.merge(bin, tally, CostTally::plus);
    }

    /** Queries with a predicted cost, by bin. */
    Map<Integer, CostTally> costs() {
        return costs == null ? Map.of() : costs;
    }

    /** Adds sampled degraded answers that lacked a component. */
    void addSampledMissing(String component, long answers) {
        sampledMissing = orEmpty(sampledMissing);
        add(sampledMissing, component, answers);
    }

    /** Adds explored degraded answers that lacked a component. */
    void addExploredMissing(String component, long answers) {
        exploredMissing = orEmpty(exploredMissing);
        add(exploredMissing, component, answers);
    }

    /** Adds sums of explored answers by a metric. */
    void addExplored(String metric, MetricSums sums) {
        if (exploredMetrics == null) {
            exploredMetrics = new HashMap<>();
        }
        exploredMetrics.merge(metric, sums, MetricSums::plus);
    }

    /** The explored answers by a metric. */
    ExploredStratum explored(String metric) {
        MetricSums sums = exploredMetrics == null ? null : exploredMetrics.get(metric);
        return sums == null
                ? ExploredStratum.NONE
                : new ExploredStratum(
                        sums.all().count() - sums.degradedLow().count(),
                        sums.all().weight() - sums.degradedLow().weight(),
                        sums.degradedLow(),
                        sums.degradedHigh(),
                        exploredMissing == null ? Map.of() : exploredMissing);
    }

    private static Map<String, Long> orEmpty(Map<String, Long> counts) {
        return counts == null ? new HashMap<>() : counts;
    }

    private static void add(Map<String, Long> counts, String component, long answers) {
        counts.merge(
                counts.size() < MOST_COMPONENTS || counts.containsKey(component) ? component : OTHERS,
                answers,
                Long::sum);
    }

    /** Rate at which the job sampled a backlog, (0, 1]. */
    double backlogRate() {
        return furtherRepresented == 0 ? 1 : samples / (double) (samples + furtherRepresented);
    }

    /** Whether all front ends counted which components their degraded answers lacked. */
    boolean countsMissing() {
        return timedOutCounted == timedOut;
    }

    /** In how many answers each component was missing. */
    Map<String, Long> missing() {
        return missing == null ? Map.of() : missing;
    }

    /** In how many sampled answers each component was missing. */
    Map<String, Long> sampledMissing() {
        return sampledMissing == null ? Map.of() : sampledMissing;
    }

    void add(String component, ComponentSums sums) {
        String name = components.size() < MOST_COMPONENTS || components.containsKey(component) ? component : OTHERS;
        components.merge(name, sums, ComponentSums::plus);
    }

    /** Unmeasurable answers by reason, as the front ends counted. */
    public Map<Unmeasurable, Long> unmeasurable() {
        return unmeasurable == null ? Map.of() : unmeasurable;
    }

    /**
     * Unmeasurable answers by reason, including MERGE_DIFFERS, which only the join finds. Its number is extrapolated
     * from the samples.
     *
     * @param degradedSamples number of measured degraded answers
     */
    Map<Unmeasurable, Long> allUnmeasurable(int degradedSamples) {
        if (differingSamples == 0) {
            return Map.copyOf(unmeasurable());
        }
        Map<Unmeasurable, Long> all = new HashMap<>(unmeasurable());
        double share = (double) differingSamples / (differingSamples + degradedSamples);
        all.put(Unmeasurable.MERGE_DIFFERS, Math.max(differingSamples, Math.round(share * timedOut)));
        return Map.copyOf(all);
    }

    private void addUnmeasurable(Map<Unmeasurable, Long> more) {
        if (unmeasurable == null) {
            unmeasurable = new HashMap<>();
        }
        more.forEach((reason, answers) -> unmeasurable.merge(reason, answers, Long::sum));
    }

    void add(Pane other) {
        offered += other.offered;
        rejected += other.rejected;
        answered += other.answered;
        timedOut += other.timedOut;
        addUnmeasurable(other.unmeasurable());
        bill = bill.plus(other.bill);
        timedOutCounted += other.timedOutCounted;
        missing = orEmpty(missing);
        other.missing().forEach((component, answers) -> add(missing, component, answers));
        other.sampledMissing().forEach(this::addSampledMissing);
        if (other.exploredMissing != null) {
            other.exploredMissing.forEach(this::addExploredMissing);
        }
        if (other.exploredMetrics != null) {
            other.exploredMetrics.forEach(this::addExplored);
        }
        other.costs().forEach(this::addCost);
        notAsked += other.notAsked;
        notAskedLossSum += other.notAskedLossSum;
        listed += other.listed;
        empty += other.empty;
        notAskedComponents = orEmpty(notAskedComponents);
        other.notAskedComponents().forEach((component, answers) -> add(notAskedComponents, component, answers));
        sampledDeliberateLoss += other.sampledDeliberateLoss;
        samples += other.samples;
        furtherRepresented += other.furtherRepresented;
        unmeasurableSamples += other.unmeasurableSamples;
        differingSamples += other.differingSamples;
        degraded += other.degraded;
        complete += other.complete;
        expired += other.expired;
        orphans += other.orphans;
        other.metrics.forEach((metric, sums) -> metrics.merge(metric, sums, MetricSums::plus));
        other.components.forEach(this::add);
    }
}
