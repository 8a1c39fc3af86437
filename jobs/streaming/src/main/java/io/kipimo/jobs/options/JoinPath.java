package io.kipimo.jobs.options;

/** How events come to the join of the quality job. */
public enum JoinPath {
    /** {@link #LOCAL} where possible; with a savepoint, as the savepoint has it. */
    AUTO,
    /** Through a shuffle by query. */
    KEYED,
    /** Within the source's task. */
    LOCAL
}
