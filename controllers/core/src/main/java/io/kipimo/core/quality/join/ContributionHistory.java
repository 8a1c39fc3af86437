package io.kipimo.core.quality.join;

import java.util.HashMap;
import java.util.Map;

/**
 * Mean contribution of each late component to the mature top k. It gives profiles with missing results a low end, since
 * missing results must not look healthy. Mutable, for one service; stored field by field.
 *
 * <p>Let M be the missing components, and c their mean contributions. Then a share C = sum of c over M of the mature
 * answer is missing, and the online answer found a share q of the rest. Hence low = q (1 - C), which is exact for the
 * true positive rate. A component without history counts with contribution 1.
 */
public final class ContributionHistory {
    /** Weight of a new measurement in the moving average, which covers about the last hundred. */
    private static final double GAIN = 0.02;

    /** Mean contribution by component, 0..1. */
    public Map<String, Double> meanContribution = new HashMap<>();

    /** Number of measurements by component, up to the number at which the plain mean becomes a moving one. */
    public Map<String, Integer> seen = new HashMap<>();

    /** Records the contribution of a late component to one complete query, 0..1. */
    public void learn(String component, double contribution) {
        if (!ComponentNames.hasRoom(seen, component)) {
            return;
        }
        int count = seen.merge(component, 1, (a, b) -> Math.min(a + b, (int) (1 / GAIN)));
        meanContribution.merge(component, contribution, (mean, latest) -> mean + (latest - mean) / count);
    }

    /** Assumed contribution of a missing component to the mature answer, 0..1. */
    public double usualContribution(String component) {
        return meanContribution.getOrDefault(component, 1.0);
    }
}
