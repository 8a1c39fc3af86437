package io.kipimo.core.quality.deadline;

import io.kipimo.core.quality.estimate.StratumSums;
import io.kipimo.core.quality.join.ContributionHistory;
import io.kipimo.schemas.observation.Observation;
import java.util.HashMap;
import java.util.Map;

/**
 * All sums of one class's profiles over an interval of event time, separately for clean and degraded queries. Mutable,
 * owned by its window; stored field by field.
 */
public final class DeadlinePane {
    /** Limit of component names, because names come from the data; {@link #OTHERS} sums up further components. */
    private static final int MOST_COMPONENTS = 500;

    private static final String OTHERS = "others";

    /** Metric of the profiles; empty without any. */
    public String metric = "";

    /** Number of all measurable answers, sampled or not. */
    public long answered;

    public long timedOut;

    public double sumOfDeadlines;
    public double longestDeadlineMillis;

    public StepSums clean = new StepSums();

    /** Low ends of the qualities of degraded queries: a missing result costs its component's usual contribution. */
    public StepSums degradedLow = new StepSums();

    public StepSums degradedHigh = new StepSums();

    /** Qualities of the degraded answers that users got. */
    public StratumSums ownLow = StratumSums.NONE;

    public StratumSums ownHigh = StratumSums.NONE;

    /** Number of complete queries by arrival of their last result, as an index on the {@link DeadlineGrid}. */
    public double[] cleanCompletions = {};

    public double[] degradedCompletions = {};

    public Map<String, ComponentTally> cleanComponents = new HashMap<>();
    public Map<String, ComponentTally> degradedComponents = new HashMap<>();

    public int profiles() {
        return clean.count + degradedLow.count;
    }

    /** Adds the counts of one second. */
    public void add(Observation observation) {
        answered += observation.measurable();
        timedOut += observation.timedOut();
    }

    /**
     * Adds one profile. A profile by another metric replaces all former ones.
     *
     * @param contributions history of the class; it learns from the profile and gives the cost of missing results
     */
    public void add(QueryProfile profile, ContributionHistory contributions) {
        if (!metric.equals(profile.metric())) {
            forgetProfiles();
            metric = profile.metric();
        }
        double factor = 1 - missingShare(profile, contributions);
        double quality = profile.quality();
        sumOfDeadlines += profile.deadlineMillis();
        longestDeadlineMillis = Math.max(longestDeadlineMillis, profile.deadlineMillis());
        if (profile.degraded()) {
            degradedLow.add(profile, factor);
            degradedHigh.add(profile, 1);
            ownLow = ownLow.add(quality * factor);
            ownHigh = ownHigh.add(quality);
            degradedCompletions = withCompletion(degradedCompletions, profile);
        } else {
            clean.add(profile, 1);
            cleanCompletions = withCompletion(cleanCompletions, profile);
        }
        int missing = profile.components().size() - profile.completedMicros().length;
        double lostByMissing = missing == 0 ? 0 : quality * (1 - factor) / missing;
        Map<String, ComponentTally> components = profile.degraded() ? degradedComponents : cleanComponents;
        for (ComponentProfile component : profile.components()) {
            tallyOf(components, component.component()).add(component, profile, factor, lostByMissing);
        }
    }

    private static double missingShare(QueryProfile profile, ContributionHistory contributions) {
        double share = 0;
        boolean complete = profile.isComplete();
        for (ComponentProfile component : profile.components()) {
            if (component.missing()) {
                share += contributions.usualContribution(component.component());
            } else if (complete && component.late()) {
                contributions.learn(component.component(), component.contribution());
            }
        }
        return Math.min(1, share);
    }

    private static double[] withCompletion(double[] completions, QueryProfile profile) {
        if (!profile.isComplete()) {
            return completions;
        }
        long[] latencies = profile.completedMicros();
        double last = latencies.length == 0 ? 0 : latencies[latencies.length - 1] / 1000.0;
        int index = DeadlineGrid.indexOf(last);
        double[] more = Rises.withRoom(completions, index + 1);
        more[index]++;
        return more;
    }

    private static ComponentTally tallyOf(Map<String, ComponentTally> tallies, String component) {
        String name = tallies.size() < MOST_COMPONENTS || tallies.containsKey(component) ? component : OTHERS;
        return tallies.computeIfAbsent(name, n -> new ComponentTally());
    }

    private void forgetProfiles() {
        sumOfDeadlines = 0;
        longestDeadlineMillis = 0;
        clean = new StepSums();
        degradedLow = new StepSums();
        degradedHigh = new StepSums();
        ownLow = StratumSums.NONE;
        ownHigh = StratumSums.NONE;
        cleanCompletions = new double[0];
        degradedCompletions = new double[0];
        cleanComponents.clear();
        degradedComponents.clear();
    }

    /** Adds another pane, whose profiles count only if they are by {@code wantedMetric}. */
    void add(DeadlinePane other, String wantedMetric) {
        answered += other.answered;
        timedOut += other.timedOut;
        if (!other.metric.equals(wantedMetric)) {
            return;
        }
        sumOfDeadlines += other.sumOfDeadlines;
        longestDeadlineMillis = Math.max(longestDeadlineMillis, other.longestDeadlineMillis);
        clean.add(other.clean);
        degradedLow.add(other.degradedLow);
        degradedHigh.add(other.degradedHigh);
        ownLow = ownLow.plus(other.ownLow);
        ownHigh = ownHigh.plus(other.ownHigh);
        cleanCompletions = Rises.sum(cleanCompletions, other.cleanCompletions);
        degradedCompletions = Rises.sum(degradedCompletions, other.degradedCompletions);
        other.cleanComponents.forEach((c, t) -> tallyOf(cleanComponents, c).add(t));
        other.degradedComponents.forEach(
                (c, t) -> tallyOf(degradedComponents, c).add(t));
    }
}
