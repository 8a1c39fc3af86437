package io.kipimo.jobs.options;

/** How events come to the join of the quality job. */
public enum JoinPath {
    /** Through a shuffle by query. */
    KEYED,
    /** Within the source's task. */
    LOCAL,
    /**
     * The path of the savepoint from which the job starts. Without a savepoint it is LOCAL if LOCAL is possible and the
     * newest records of all partitions are where it needs them, else KEYED.
     */
    AUTO
}
