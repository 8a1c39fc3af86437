package io.kipimo.operators.invalidation;

import io.kipimo.schemas.caching.CachedScope;

/**
 * One registration of one query. A query that begins anew is another one to the cells, so that what
 * is stored of its old result never counts for the new one.
 */
record QueryId(String service, String table, String key, long registeredMillis) {
    /** Of the query, whichever registration: service/table/key. */
    String subscription() {
        return CachedScope.of(service, table, key);
    }

    /** Of the registration: registered millis, service/table/key. */
    String text() {
        return registeredMillis + "@" + subscription();
    }

    /** Another registration of the query. */
    QueryId at(long otherMillis) {
        return new QueryId(service, table, key, otherMillis);
    }

    /** The registration with that {@link #text}; names of services and tables have no slash. */
    static QueryId of(String text) {
        int at = text.indexOf('@');
        int table = text.indexOf('/', at + 1) + 1;
        int key = text.indexOf('/', table) + 1;
        return new QueryId(
                text.substring(at + 1, table - 1),
                text.substring(table, key - 1),
                text.substring(key),
                Long.parseLong(text.substring(0, at)));
    }
}
