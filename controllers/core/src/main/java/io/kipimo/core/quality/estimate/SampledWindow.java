package io.kipimo.core.quality.estimate;

/**
 * Counts and samples of the answers of a window, with qualities by one metric.
 *
 * @param counts of all answers and samples
 * @param explored the samples that the exploration rule chose; {@code counts} includes them
 * @param countsMissing whether {@code counts} has the missing components of all degraded answers
 */
public record SampledWindow(MissingCounts counts, ExploredStratum explored, boolean countsMissing) {
    /** Counts of the answers that are not explored, with a deliberate loss of 0. */
    MissingCounts others() {
        return explored.answers() == 0
                ? new MissingCounts(counts.strata().withDeliberateLoss(0), counts.missing(), counts.sampledMissing())
                : explored.others(counts);
    }

    /** This window, as if no sample was explored. */
    SampledWindow alike() {
        return new SampledWindow(counts, ExploredStratum.NONE, countsMissing);
    }
}
