package io.kipimo.core.invalidation;

import io.kipimo.core.invalidation.change.ChangeKind;

/** How a result is cached (Quaestor, sec. 4.1). */
public enum Representation {
    /** Ids, and each record in a cache of its own: stale when records enter, leave, or move. */
    ID_LIST,
    /** The records themselves: stale when one of them changes, too. */
    OBJECT_LIST;

    public boolean isInvalidatedBy(ChangeKind kind) {
        return this == OBJECT_LIST || kind.changesIds();
    }
}
