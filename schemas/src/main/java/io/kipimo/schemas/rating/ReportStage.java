package io.kipimo.schemas.rating;

/** How far a generator is with an experiment. */
public enum ReportStage {
    /** It can load the target. */
    HERE,
    /** The workload is open and the target prepared. */
    READY,
    /** Counts so far. */
    UNDER_WAY,
    /** All that was counted. */
    DONE,
    /** It cannot; the remark says why. */
    REFUSED
}
