package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.Score;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What each component of a service usually gives to the mature top k when it is late, so that an
 * EXPIRED measurement can say how bad the answer may have been: what never arrived must not look
 * healthy. Mutable, of one service; a Flink POJO.
 *
 * <p>With missing components M and mean contributions c, the mature answer would have held a share
 * C = sum of c over M that nobody saw; the online answer found a share q of the rest. Hence low = q
 * (1 - C), exact for the true positive rate. A component without history is taken to give
 * everything.
 */
public final class ContributionHistory {
    /** Weight of a new measurement in the moving average: about the last hundred count. */
    private static final double GAIN = 0.02;

    /**
     * A name in the data must not fill the state: of components beyond this many nothing is learnt.
     */
    static final int MOST_COMPONENTS = 1_000;

    /** Mean contribution by component, 0..1. */
    public Map<String, Double> meanContribution = new HashMap<>();

    /**
     * Number of measurements by component, up to where the plain mean turns into the moving one.
     */
    public Map<String, Integer> seen = new HashMap<>();

    /** Learns from complete degraded measurements; gives EXPIRED ones their low end. */
    public Measurement complete(Measurement measurement) {
        if (!measurement.degraded()) {
            return measurement;
        }
        if (measurement.completeness() == Completeness.COMPLETE) {
            measurement.components().stream()
                    .filter(c -> c.outcome() == Outcome.TIMED_OUT)
                    .forEach(c -> learn(c.component(), c.contribution()));
            return measurement;
        }
        return withLowEnds(measurement, 1 - missingShare(measurement));
    }

    /** Takes in what another history of the same service learnt, by how much that was. */
    public void add(ContributionHistory other) {
        other.meanContribution.forEach(
                (component, mean) -> {
                    if (!hasRoomFor(component)) {
                        return;
                    }
                    int theirs = other.seen.get(component);
                    int mine = seen.getOrDefault(component, 0);
                    double known = meanContribution.getOrDefault(component, 0.0);
                    meanContribution.put(
                            component, known + (mean - known) * theirs / (mine + theirs));
                    seen.put(component, Math.min(mine + theirs, (int) (1 / GAIN)));
                });
    }

    /** Takes what a late component gave to one complete query, 0..1. */
    public void learn(String component, double contribution) {
        if (!hasRoomFor(component)) {
            return;
        }
        int count = seen.merge(component, 1, (a, b) -> Math.min(a + b, (int) (1 / GAIN)));
        meanContribution.merge(
                component, contribution, (mean, latest) -> mean + (latest - mean) / count);
    }

    private boolean hasRoomFor(String component) {
        return seen.size() < MOST_COMPONENTS || seen.containsKey(component);
    }

    /** What a missing component may be taken to have held of the mature answer, 0..1. */
    public double usualContribution(String component) {
        return meanContribution.getOrDefault(component, 1.0);
    }

    private double missingShare(Measurement measurement) {
        double share = 0;
        for (ComponentShare component : measurement.components()) {
            if (component.missing()) {
                share += usualContribution(component.component());
            }
        }
        return Math.min(1, share);
    }

    private static Measurement withLowEnds(Measurement m, double factor) {
        List<Score> scores = new ArrayList<>(m.scores().size());
        for (Score score : m.scores()) {
            scores.add(new Score(score.metric(), score.high() * factor, score.high()));
        }
        return new Measurement(
                m.service(),
                m.queryId(),
                m.queryClass(),
                m.startedAtMillis(),
                m.measuredAtMillis(),
                m.completeness(),
                m.degraded(),
                m.topK(),
                List.copyOf(scores),
                m.components(),
                m.truncated());
    }
}
