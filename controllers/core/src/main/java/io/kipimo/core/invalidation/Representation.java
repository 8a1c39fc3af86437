package io.kipimo.core.invalidation;

/** How a result is cached (Quaestor, sec. 4.1). */
public enum Representation {
    /** A list of ids, with each record cached separately: stale when records enter, leave or move. */
    ID_LIST,
    /** A list of records: stale also when one of them changes. */
    OBJECT_LIST;

    public boolean isInvalidatedBy(ChangeKind kind) {
        return this == OBJECT_LIST || kind.changesIds();
    }
}
