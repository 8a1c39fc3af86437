package io.kipimo.core.rating;

import java.util.Objects;

/**
 * Result of one experiment.
 *
 * @param load load imposed, in threads or requests a second; 1 or more
 * @param throughput requests served a second; finite, 0 or more
 */
public record ExperimentReading(long load, double throughput, Verdict verdict) {
    public ExperimentReading {
        if (load < 1) {
            throw new IllegalArgumentException("load is " + load + "; allowed: 1 or more");
        }
        if (!(throughput >= 0 && Double.isFinite(throughput))) {
            throw new IllegalArgumentException("throughput is " + throughput + "; allowed: finite, 0 or more");
        }
        Objects.requireNonNull(verdict, "verdict");
    }

    /** Whether the agreement was kept. */
    public boolean passed() {
        return verdict == Verdict.PASSED;
    }
}
