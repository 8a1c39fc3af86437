package io.kipimo.core.quality.window;

import io.kipimo.core.quality.estimate.StratumCounts;
import io.kipimo.core.quality.estimate.StratumSums;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.HashMap;
import java.util.Map;

/** Sums over one minute or one hour of one class. Mutable, owned by its budget; stored field by field. */
final class BudgetPane {
    /** Limit of component names, because names come from the data; losses of further components are not recorded. */
    private static final int MOST_COMPONENTS = 500;

    public long startMillis;

    /** Time of the earliest measurement or count, epoch milliseconds. */
    public long sinceMillis = Long.MAX_VALUE;

    public long answered;
    public long timedOut;

    /** Number of unmeasurable answers, as the front ends counted. */
    public long unmeasurable;

    public int unmeasurableSamples;

    /** Number of unmeasurable samples that are degraded and whose answer is not the policy's merge. */
    public int differingSamples;

    public int cleanSamples;
    public StratumSums degradedLow = StratumSums.NONE;
    public StratumSums degradedHigh = StratumSums.NONE;

    /** Number of answers that did not ask some component, as the front ends counted. */
    public long notAsked;

    /** Sum of the quality that answers lost by not asking some component, as the front ends counted. */
    public double notAskedLossSum;

    /** Sum of the quality that samples lost by not asking some component. */
    public double sampledDeliberateLoss;

    /** Sum of the lost quality over the samples, by component; filled for minutes only. */
    public Map<String, Double> lost = new HashMap<>();

    public BudgetPane() {}

    BudgetPane(long startMillis) {
        this.startMillis = startMillis;
    }

    StratumCounts counts() {
        StratumCounts counts = StratumCounts.ofMeasurable(
                answered,
                timedOut,
                unmeasurable,
                unmeasurableSamples,
                differingSamples,
                cleanSamples,
                degradedLow,
                degradedHigh);
        // Users lose what was not asked as well, so it spends budget.
        return counts.withDeliberateLoss(
                notAsked > 0 || counts.samples() == 0
                        ? notAskedLossSum
                        : counts.answered() * sampledDeliberateLoss / counts.samples());
    }

    /** Share of the answers that are measurable, 0..1; 1 without any. */
    double measurableShare() {
        StratumCounts counts = counts();
        if (answered > 0) {
            return (double) counts.answered() / answered;
        }
        return unmeasurableSamples == 0 ? 1 : (double) counts.samples() / (counts.samples() + unmeasurableSamples);
    }

    void addUnmeasurable(Pane pane) {
        unmeasurableSamples += pane.unmeasurableSamples;
        differingSamples += pane.differingSamples;
    }

    void add(Observation observation) {
        answered += observation.answered();
        timedOut += observation.timedOut();
        unmeasurable += Unmeasurable.sum(observation.unmeasurable());
        notAsked += observation.notAsked();
        notAskedLossSum += observation.notAskedLossSum();
    }

    /** Records the time of a measurement. */
    void measuredAt(long millis) {
        sinceMillis = Math.min(sinceMillis, Math.max(startMillis, millis));
    }

    /** Measured time until {@code endMillis}, from the first measurement on. */
    long coveredMillis(long endMillis) {
        return Math.max(0, endMillis - sinceMillis);
    }

    void add(MetricSums sums) {
        degradedLow = degradedLow.plus(sums.degradedLow());
        degradedHigh = degradedHigh.plus(sums.degradedHigh());
        cleanSamples += sums.all().count() - sums.degradedLow().count();
    }

    void addLosses(Map<String, ComponentSums> components) {
        components.forEach((component, sums) -> {
            double mine = sums.lostQuality() + sums.lostUnseen();
            if (mine != 0 && (lost.size() < MOST_COMPONENTS || lost.containsKey(component))) {
                lost.merge(component, mine, Double::sum);
            }
        });
    }

    void add(BudgetPane other) {
        answered += other.answered;
        timedOut += other.timedOut;
        unmeasurable += other.unmeasurable;
        unmeasurableSamples += other.unmeasurableSamples;
        differingSamples += other.differingSamples;
        notAsked += other.notAsked;
        notAskedLossSum += other.notAskedLossSum;
        sampledDeliberateLoss += other.sampledDeliberateLoss;
        cleanSamples += other.cleanSamples;
        degradedLow = degradedLow.plus(other.degradedLow);
        degradedHigh = degradedHigh.plus(other.degradedHigh);
        other.lost.forEach((component, sum) -> lost.merge(component, sum, Double::sum));
    }
}
