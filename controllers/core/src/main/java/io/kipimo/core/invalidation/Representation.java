package io.kipimo.core.invalidation;

/** Form in which a query result is cached (Quaestor, sec. 4.1). */
public enum Representation {
    /** A list of ids, with each record cached separately. It is stale once records enter, leave or move. */
    ID_LIST,
    /** A list of records. It is stale once records enter, leave, move or change. */
    OBJECT_LIST;

    public boolean isInvalidatedBy(ChangeKind kind) {
        return this == OBJECT_LIST || kind.changesIds();
    }
}
