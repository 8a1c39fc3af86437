package io.kipimo.schemas.caching;

/** How a query's result is to be cached. */
public enum ResultRepresentation {
    /** Chosen by cost. */
    ANY,
    /** Ids, and each record in a cache of its own. */
    ID_LIST,
    /** The records themselves. */
    OBJECT_LIST
}
