package io.kipimo.core.quality.estimate;

/**
 * Memory of the sampled degraded answers of one class. A long memory teaches the costs of components, and a short one
 * corrects the mean of the predictions. Older answers are forgotten as new ones come, not by time. Mutable; stored
 * field by field.
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
