package io.kipimo.core.quality.window;

/**
 * The limits that a release must keep.
 *
 * @param objective mean answer quality, 0..1
 * @param allowedDrop greatest drop below a baseline's mean quality, 0..1; ignored without a baseline
 * @param minimumSamples measured queries that a verdict needs; at least 1
 */
public record GateRule(double objective, double allowedDrop, int minimumSamples) {
    /** @throws IllegalArgumentException if a figure is out of range */
    public GateRule {
        if (!(objective >= 0 && objective <= 1)) {
            throw new IllegalArgumentException("objective is " + objective + "; allowed: 0..1");
        }
        if (!(allowedDrop >= 0 && allowedDrop <= 1)) {
            throw new IllegalArgumentException("allowed drop is " + allowedDrop + "; allowed: 0..1");
        }
        if (minimumSamples < 1) {
            throw new IllegalArgumentException("minimum samples are " + minimumSamples + "; allowed: at least 1");
        }
    }
}
