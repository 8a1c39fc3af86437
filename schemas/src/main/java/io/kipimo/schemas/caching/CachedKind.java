package io.kipimo.schemas.caching;

/** Kind of a cached entry. */
public enum CachedKind {
    RECORD,
    /** The result of a query. */
    QUERY
}
