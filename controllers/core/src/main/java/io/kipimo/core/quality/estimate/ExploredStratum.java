package io.kipimo.core.quality.estimate;

import io.kipimo.schemas.quality.Estimate;
import java.util.HashMap;
import java.util.Map;

/**
 * The explored answers of a window: the exploration rule let their queries ask all components. Each explored answer is
 * sampled, so its loss is known, and it stands for no other answer. It has weight 1, while other samples have the
 * inverse of the sampling rate (Horvitz and Thompson, 1952). If explored answers counted like other samples, they would
 * pull the mean of trimmed answers to that of full ones.
 *
 * @param clean number of explored answers that had every component
 * @param cleanWeight sum of the weights of these clean answers
 * @param low low ends of the qualities of the degraded explored answers
 * @param high high ends of the same qualities
 * @param missing in how many of the degraded explored answers each component was missing
 */
public record ExploredStratum(
        int clean, long cleanWeight, StratumSums low, StratumSums high, Map<String, Long> missing) {
    public static final ExploredStratum NONE = new ExploredStratum(0, 0, StratumSums.NONE, StratumSums.NONE, Map.of());

    /** Number of the explored answers; if the job sampled a backlog, an estimate from the answers that it measured. */
    long answers() {
        return cleanWeight + low.weight();
    }

    /**
     * The counts of the answers that are not explored, with a deliberate loss of 0.
     *
     * @param all counts of all answers, including the explored ones
     */
    MissingCounts others(MissingCounts all) {
        StratumCounts strata = all.strata();
        StratumSums otherLow = strata.degradedLow().minus(low);
        StratumSums otherHigh = strata.degradedHigh().minus(high);
        int otherClean = Math.max(0, strata.cleanSamples() - clean);
        long timedOut = Math.max(otherLow.count(), strata.timedOut() - low.weight());
        return new MissingCounts(
                new StratumCounts(
                        Math.max(timedOut + otherClean, strata.answered() - answers()),
                        timedOut,
                        otherClean,
                        otherLow,
                        otherHigh),
                minus(all.missing(), missing),
                minus(all.sampledMissing(), missing));
    }

    private static Map<String, Long> minus(Map<String, Long> all, Map<String, Long> some) {
        Map<String, Long> rest = new HashMap<>(all);
        some.forEach((component, answers) -> rest.computeIfPresent(component, (c, n) -> Math.max(0, n - answers)));
        return rest;
    }

    /**
     * The estimate of all answers, explored or not.
     *
     * @param others estimate of the answers that are not explored
     * @param count number of the answers that are not explored
     */
    Estimate with(Estimate others, long count) {
        double all = count + answers();
        return new Estimate(
                (count * others.low() + cleanWeight + low.sum()) / all,
                (count * others.mean() + cleanWeight + low.sum()) / all,
                (count * others.high() + cleanWeight + high.sum()) / all);
    }
}
