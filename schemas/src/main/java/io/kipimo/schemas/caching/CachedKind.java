package io.kipimo.schemas.caching;

/** What a cached key stands for. */
public enum CachedKind {
    RECORD,
    /** The result of a query. */
    QUERY
}
