package io.kipimo.core.quality.join;

import java.util.HashMap;
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

    /** Mean contribution by component, 0..1. */
    public Map<String, Double> meanContribution = new HashMap<>();

    /**
     * Number of measurements by component, up to where the plain mean turns into the moving one.
     */
    public Map<String, Integer> seen = new HashMap<>();

    /** Takes what a late component gave to one complete query, 0..1. */
    public void learn(String component, double contribution) {
        if (!ComponentNames.hasRoom(seen, component)) {
            return;
        }
        int count = seen.merge(component, 1, (a, b) -> Math.min(a + b, (int) (1 / GAIN)));
        meanContribution.merge(
                component, contribution, (mean, latest) -> mean + (latest - mean) / count);
    }

    /** What a missing component may be taken to have held of the mature answer, 0..1. */
    public double usualContribution(String component) {
        return meanContribution.getOrDefault(component, 1.0);
    }
}
