package io.kipimo.schemas.caching;

/** How a query's result is to be cached. */
public enum ResultRepresentation {
    /** Not chosen yet: caches may hold either. The ttl job tells which costs less. */
    ANY,
    /** Ids, and each record in a cache of its own. */
    ID_LIST,
    /** The records themselves. */
    OBJECT_LIST
}
