package io.kipimo.core.invalidation;

import java.util.Map;

/**
 * A query with the result that was cached.
 *
 * @param key of the query in the cell
 * @param versions of the records that the result holds, by id; of a cell's own rows only
 * @param evaluatedAtMillis writes before it are in the result, by the store's clock; whoever is not
 *     sure says a little less
 */
public record Registration(
        String key, RegisteredQuery query, Map<String, Long> versions, long evaluatedAtMillis) {
    public Registration {
        versions = Map.copyOf(versions);
    }

    /** Of a query that is known by what it asks. */
    public static Registration of(
            RegisteredQuery query, Map<String, Long> versions, long evaluatedAtMillis) {
        return new Registration(query.key(), query, versions, evaluatedAtMillis);
    }
}
