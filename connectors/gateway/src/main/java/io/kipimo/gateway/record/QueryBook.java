package io.kipimo.gateway.record;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** The queries under way, by their trace ids. Bounded: queries beyond the limit are not measured. */
final class QueryBook {
    private final int most;
    private final Map<String, FrontQuery> queries = new ConcurrentHashMap<>();
    private final LongAdder unmeasured = new LongAdder();

    QueryBook(int most) {
        this.most = most;
    }

    /** Adds a query; false: the book is full, or has a query with this id. */
    boolean open(FrontQuery query) {
        boolean opened =
                queries.size() < most && queries.putIfAbsent(query.trace().traceId(), query) == null;
        if (!opened) {
            unmeasured.increment();
        }
        return opened;
    }

    Optional<FrontQuery> find(String queryId) {
        return Optional.ofNullable(queries.get(queryId));
    }

    void close(FrontQuery query) {
        queries.remove(query.trace().traceId(), query);
    }

    int size() {
        return queries.size();
    }

    long unmeasured() {
        return unmeasured.sum();
    }
}
