package io.kipimo.core.invalidation;

/** Effect of a write on a query's result (Quaestor, sec. 4.1). */
public enum ChangeKind {
    /** The record enters the result. */
    ADD,
    /** The record leaves the result. */
    REMOVE,
    /** The record stays in the result at its place, with other content. */
    CHANGE,
    /** The record stays in the result, with other content and in another place. */
    CHANGE_INDEX,
    /** The effect is not known. The query must be evaluated again, and has no notifications until then. */
    UNKNOWN;

    /** Whether a result that is cached as a list of ids changes. A list of records changes with every kind. */
    public boolean changesIds() {
        return this != CHANGE;
    }
}
