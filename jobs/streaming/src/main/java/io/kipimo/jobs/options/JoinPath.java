package io.kipimo.jobs.options;

/** How events come to the join of the quality job. State fits every way. */
public enum JoinPath {
    /** Through a shuffle by partition. */
    KEYED,
    /** Within the source's task. */
    LOCAL,
    /**
     * Chosen at each start: LOCAL if it is possible and the newest records of all partitions are where it needs them,
     * else KEYED.
     */
    AUTO
}
