package io.kipimo.schemas.rating;

/** Verdict on an experiment. */
public enum TrialVerdict {
    PASSED,
    FAILED,
    /** Void: a generator was the bottleneck, not the target. */
    BOTTLENECK,
    /** Void: a generator was lost. */
    LOST
}
