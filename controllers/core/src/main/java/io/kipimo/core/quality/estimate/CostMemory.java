package io.kipimo.core.quality.estimate;

/**
 * What is remembered of sampled degraded answers of one class: for long, to learn the costs of components, and for
 * short, to correct the mean of the predictions. Older answers are forgotten as new ones come, not by time. Mutable;
 * stored field by field.
 */
public final class CostMemory {
    /** Approximate number of answers from which costs are learned. */
    static final double LASTING = 1000;

    /** Approximate number of answers that correct the mean. */
    static final double RECENT = 300;

    public CostSums lasting = new CostSums();
    public CostSums recent = new CostSums();

    /** Learns from further answers. */
    public void learn(CostSums newer) {
        lasting.learn(newer, LASTING);
        recent.learn(newer, RECENT);
    }
}
