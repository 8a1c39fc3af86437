package io.kipimo.schemas.caching;

/** Effect of a write on a record. */
public enum WriteKind {
    INSERT,
    UPDATE,
    DELETE
}
