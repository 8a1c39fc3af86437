package io.kipimo.core.invalidation;

import java.util.Map;

/**
 * A query to register in a cell, with its result as it was cached.
 *
 * @param key key of the query in the cell
 * @param versions versions of the records in the result, by record id; only records that belong to the cell's row of
 *     the grid
 * @param evaluatedAtMillis time of the evaluation, by the store's clock. The result includes all writes before this
 *     time; in case of doubt choose an earlier one
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
