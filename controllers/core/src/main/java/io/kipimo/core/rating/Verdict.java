package io.kipimo.core.rating;

/** Result of an experiment: whether the target carried the load within the service level agreement. */
public enum Verdict {
    /** The agreement was kept. */
    PASSED,
    /** The agreement was broken, or nothing was served. */
    FAILED,
    /** The generator was the bottleneck, so the experiment shows nothing about the target. */
    VOID
}
