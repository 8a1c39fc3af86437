package io.kipimo.jobs.options;

/** How events come to the join of the quality job. */
public enum JoinPath {
    /** Through a shuffle by query. */
    KEYED,
    /** Within the source's task. */
    LOCAL,
    /**
     * As the savepoint that the job starts from; without one LOCAL if it is possible and the newest records of all
     * partitions are where it needs them, else KEYED.
     */
    AUTO
}
