package io.kipimo.schemas.caching;

/** What a write did to a record. */
public enum WriteKind {
    INSERT,
    UPDATE,
    DELETE
}
