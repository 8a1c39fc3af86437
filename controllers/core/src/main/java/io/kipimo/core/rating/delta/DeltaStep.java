package io.kipimo.core.rating.delta;

/** What to do next: another probe, or nothing, since the duration is known. */
public sealed interface DeltaStep {
    /** Impose {@code load} for {@code millis} and hand in what the target did. */
    record Run(long load, long millis) implements DeltaStep {}

    /** delta: how long an experiment must run. */
    record Done(long millis, DeltaEnding ending) implements DeltaStep {}
}
