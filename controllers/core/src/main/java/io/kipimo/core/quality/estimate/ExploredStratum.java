package io.kipimo.core.quality.estimate;

import io.kipimo.schemas.quality.Estimate;
import java.util.HashMap;
import java.util.Map;

/**
 * The answers of a window that the exploration rule had asked in full. Each explored answer is sampled, so its loss is
 * known, and it stands for no other answer. It has weight 1, where other samples have the inverse of the sampling rate
 * (Horvitz and Thompson, 1952). If explored answers counted like other samples, they would pull the mean of trimmed
 * answers to that of full ones.
 *
 * @param clean those that had every component
 * @param cleanWeight sum of their weights
 * @param low low ends of the qualities of the others
 * @param high high ends of the same
 * @param missing in how many of the others each component was missing
 */
public record ExploredStratum(
        int clean, long cleanWeight, StratumSums low, StratumSums high, Map<String, Long> missing) {
    public static final ExploredStratum NONE = new ExploredStratum(0, 0, StratumSums.NONE, StratumSums.NONE, Map.of());

    /** Number of the explored answers; if the job sampled a backlog, as estimated from those that it measured. */
    long answers() {
        return cleanWeight + low.weight();
    }

    /**
     * The counts of the other answers, as if nothing was lost on purpose.
     *
     * @param all these answers are among their samples
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
     * The estimate of all answers.
     *
     * @param others estimate of the other answers
     * @param count number of the other answers
     */
    Estimate with(Estimate others, long count) {
        double all = count + answers();
        return new Estimate(
                (count * others.low() + cleanWeight + low.sum()) / all,
                (count * others.mean() + cleanWeight + low.sum()) / all,
                (count * others.high() + cleanWeight + high.sum()) / all);
    }
}
