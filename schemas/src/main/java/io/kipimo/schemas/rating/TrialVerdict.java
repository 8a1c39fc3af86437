package io.kipimo.schemas.rating;

/** What an experiment came to. */
public enum TrialVerdict {
    PASSED,
    FAILED,
    /** Void: a generator, not the target, was the bottleneck. */
    BOTTLENECK,
    /** Void: a generator was lost. */
    LOST
}
