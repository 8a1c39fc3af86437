package io.kipimo.schemas.rating;

/** Progress of a generator with an experiment. */
public enum ReportStage {
    /** The generator can load the target. */
    HERE,
    /** The workload is open, and the target is prepared. */
    READY,
    /** Intermediate counts. */
    UNDER_WAY,
    /** Final counts. */
    DONE,
    /** The generator cannot load the target; the remark gives the reason. */
    REFUSED
}
