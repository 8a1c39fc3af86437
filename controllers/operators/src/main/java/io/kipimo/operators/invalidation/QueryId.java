package io.kipimo.operators.invalidation;

import io.kipimo.schemas.caching.CachedScope;

/**
 * One registration of one query. A query that ended and was registered again has another id, so stored state of its old
 * result never applies to the new one.
 */
record QueryId(String service, String table, String key, long registeredMillis) {
    /** service/table/key, the same for all registrations of the query. */
    String subscription() {
        return CachedScope.of(service, table, key);
    }

    /** Text of the registration: {@code registeredMillis@service/table/key}. */
    String text() {
        return registeredMillis + "@" + subscription();
    }

    /** Returns the registration of the query at another time. */
    QueryId at(long otherMillis) {
        return new QueryId(service, table, key, otherMillis);
    }

    /** The registration with that {@link #text}. */
    static QueryId of(String text) {
        int at = text.indexOf('@');
        return of(text.substring(at + 1), Long.parseLong(text.substring(0, at)));
    }

    /**
     * Splits a subscription into its parts: names of services and tables contain no slash, but keys may.
     *
     * @param subscription service/table/key
     */
    static QueryId of(String subscription, long registeredMillis) {
        String[] parts = subscription.split("/", 3);
        return new QueryId(parts[0], parts[1], parts[2], registeredMillis);
    }
}
