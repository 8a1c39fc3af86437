package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.QueryKey;

/**
 * Keeps the queries of a {@link JoinEngine}. The engine uses one query at a time, at each event and when it is due, so
 * a store may return the same object, refilled at each call.
 */
public interface QueryStore {
    /** The query; null if none is kept. It is valid until the next call. */
    OpenQuery find(QueryKey key);

    /**
     * Stores a query that is new or has changed.
     *
     * @param isNew whether {@link #find} returned null
     */
    void keep(QueryKey key, OpenQuery query, boolean isNew);

    /** Removes a query. */
    void forget(QueryKey key);

    /**
     * Whether the store keeps the given object itself, at least for a while. Then the engine can recognise a query that
     * never changes again without a look-up.
     */
    boolean keepsObjects();
}
