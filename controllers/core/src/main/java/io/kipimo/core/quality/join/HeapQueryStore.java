package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.QueryKey;
import java.util.HashMap;
import java.util.Map;

/** Keeps queries as objects in memory. */
public final class HeapQueryStore implements QueryStore {
    private final Map<QueryKey, OpenQuery> queries = new HashMap<>();

    @Override
    public OpenQuery find(QueryKey key) {
        return queries.get(key);
    }

    @Override
    public void keep(QueryKey key, OpenQuery query, boolean isNew) {
        if (isNew) {
            queries.put(key, query);
        }
    }

    @Override
    public void forget(QueryKey key) {
        queries.remove(key);
    }

    @Override
    public boolean keepsObjects() {
        return true;
    }
}
