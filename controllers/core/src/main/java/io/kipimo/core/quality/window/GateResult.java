package io.kipimo.core.quality.window;

import io.kipimo.schemas.quality.Estimate;
import java.util.Optional;

/**
 * A verdict and the figures that led to it.
 *
 * @param reason one sentence with the figures
 * @param candidate mean quality of the release; empty: NOT-ENOUGH
 * @param baseline mean quality of its predecessor; empty: none given, or NOT-ENOUGH
 * @param drop from baseline to candidate, -1..1, with its 95 % interval; empty without both
 */
public record GateResult(
        GateVerdict verdict,
        String reason,
        GateRule rule,
        GateEvidence candidateEvidence,
        Optional<Estimate> candidate,
        Optional<Estimate> baseline,
        Optional<Drop> drop) {

    /** {@code low <= mean <= high}; positive: the candidate is worse. */
    public record Drop(double low, double mean, double high) {}
}
