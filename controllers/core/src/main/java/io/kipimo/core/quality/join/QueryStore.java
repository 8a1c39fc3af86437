package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.QueryKey;

/**
 * Where a {@link JoinEngine} keeps its queries. The engine asks for a query at each event and when
 * it is due, one at a time, so a store may answer with one object that it fills anew at each call.
 */
public interface QueryStore {
    /** The query; null if none is kept. It is valid until the next call. */
    OpenQuery find(QueryKey key);

    /**
     * Keeps a query that is new or that has changed since it was found.
     *
     * @param isNew whether {@link #find} had found none
     */
    void keep(QueryKey key, OpenQuery query, boolean isNew);

    /** Removes a query. */
    void forget(QueryKey key);

    /**
     * Whether a query that is kept is the very object that was given, at least for a while. The
     * engine can then recognise a query that never changes again without asking for it.
     */
    boolean keepsObjects();
}
