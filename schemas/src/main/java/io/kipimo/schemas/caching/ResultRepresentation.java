package io.kipimo.schemas.caching;

/** Form in which a query's result is cached. */
public enum ResultRepresentation {
    /** Not chosen yet: caches may hold either form. The ttl job chooses the cheaper one. */
    ANY,
    /** A list of ids; each record is cached on its own. */
    ID_LIST,
    /** The records themselves. */
    OBJECT_LIST
}
