package io.kipimo.jobs.options;

/** The way in which events reach the join of the quality job. State fits every way. */
public enum JoinPath {
    /** Events go through a shuffle by partition. */
    KEYED,
    /** Events stay within the source's task. */
    LOCAL,
    /**
     * The job chooses at each start: LOCAL if it is possible and the newest records of all partitions are in the
     * partitions that it needs, otherwise KEYED.
     */
    AUTO
}
