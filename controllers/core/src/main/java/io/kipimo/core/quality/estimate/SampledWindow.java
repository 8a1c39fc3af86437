package io.kipimo.core.quality.estimate;

/**
 * What is known of the answers of a window by one metric.
 *
 * @param counts of all answers and samples
 * @param explored the samples that are sampled by the exploration rule; {@code counts} includes them
 * @param countsMissing whether {@code counts} has the missing components of all degraded answers
 */
public record SampledWindow(MissingCounts counts, ExploredStratum explored, boolean countsMissing) {
    /** The answers that are not explored. */
    MissingCounts others() {
        return explored.answers() == 0
                ? new MissingCounts(counts.strata().withDeliberateLoss(0), counts.missing(), counts.sampledMissing())
                : explored.others(counts);
    }

    /** The same, as if no sample was explored. */
    SampledWindow alike() {
        return new SampledWindow(counts, ExploredStratum.NONE, countsMissing);
    }
}
