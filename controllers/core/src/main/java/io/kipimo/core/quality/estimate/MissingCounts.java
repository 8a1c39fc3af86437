package io.kipimo.core.quality.estimate;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts of a window by missing component.
 *
 * @param strata the window's counts and samples
 * @param missing in how many of all degraded answers each component was missing
 * @param sampledMissing the same counts over the sampled answers, each of which counts by its weight
 */
public record MissingCounts(StratumCounts strata, Map<String, Long> missing, Map<String, Long> sampledMissing) {
    public static final MissingCounts NONE = new MissingCounts(StratumCounts.NONE, Map.of(), Map.of());

    public MissingCounts plus(MissingCounts other) {
        return new MissingCounts(
                strata.plus(other.strata), sum(missing, other.missing), sum(sampledMissing, other.sampledMissing));
    }

    /** These counts, with the samples reduced as {@link StratumSums#effective} does. */
    MissingCounts effective() {
        StratumSums degraded = strata.degradedLow();
        if (degraded.weight() == degraded.count()) {
            return this;
        }
        double share = (double) degraded.effective().count() / degraded.weight();
        Map<String, Long> scaled = new HashMap<>(sampledMissing);
        scaled.replaceAll((component, answers) -> Math.round(answers * share));
        return new MissingCounts(strata.effective(), missing, scaled);
    }

    private static Map<String, Long> sum(Map<String, Long> some, Map<String, Long> more) {
        Map<String, Long> sum = new HashMap<>(some);
        more.forEach((component, answers) -> sum.merge(component, answers, Long::sum));
        return sum;
    }
}
