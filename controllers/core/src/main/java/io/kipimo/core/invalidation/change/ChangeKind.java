package io.kipimo.core.invalidation.change;

/** What a write does to a query's result (Quaestor, sec. 4.1). */
public enum ChangeKind {
    /** The record enters the result. */
    ADD,
    /** The record leaves the result. */
    REMOVE,
    /** The record stays in the result, and where it is, with other content. */
    CHANGE,
    /** The record stays in the result, with other content and in another place. */
    CHANGE_INDEX,
    /** Not known: the query is to be evaluated again, and nothing is told of it until then. */
    UNKNOWN;

    /** Whether a list of ids is another one afterwards; a list of objects is, whatever the kind. */
    public boolean changesIds() {
        return this != CHANGE;
    }
}
