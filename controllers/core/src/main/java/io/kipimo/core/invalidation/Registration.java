package io.kipimo.core.invalidation;

import java.util.Map;

/**
 * A query with the result that was cached.
 *
 * @param key key of the query in the cell
 * @param versions versions of the records in the result, by id; only records of the cell's rows
 * @param evaluatedAtMillis time by the store's clock; the result includes all writes before it. Choose an earlier time
 *     in case of doubt
 */
public record Registration(String key, RegisteredQuery query, Map<String, Long> versions, long evaluatedAtMillis) {
    public Registration {
        versions = Map.copyOf(versions);
    }

    /** A registration under the query's own key. */
    public static Registration of(RegisteredQuery query, Map<String, Long> versions, long evaluatedAtMillis) {
        return new Registration(query.key(), query, versions, evaluatedAtMillis);
    }
}
