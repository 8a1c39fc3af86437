package io.kipimo.core.rating;

/** The next step of the analysis: another probe, or the end. */
public sealed interface DeltaStep {
    /** Impose {@code load} for {@code millis} and add the {@link Probe} to the log. */
    record DeltaRun(long load, long millis) implements DeltaStep {}

    /** The end of the analysis. {@code millis} is delta, the time that an experiment must run. */
    record DeltaEnd(long millis, DeltaEnding ending) implements DeltaStep {}
}
