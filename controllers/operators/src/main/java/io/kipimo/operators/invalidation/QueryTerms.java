package io.kipimo.operators.invalidation;

import io.kipimo.core.invalidation.RegisteredQuery;
import io.kipimo.core.invalidation.Representation;
import io.kipimo.core.invalidation.change.AfterImage;
import java.util.List;

/**
 * A subscription whose texts were read.
 *
 * @param key of the cached result
 * @param registeredMillis tells subscriptions of one key apart, the later one counts
 * @param evaluatedMillis writes from then on may not be in the result
 * @param result as it was evaluated; images only if the query is windowed, else empty ones
 */
public record QueryTerms(
        String service,
        String table,
        String key,
        long registeredMillis,
        long evaluatedMillis,
        Representation representation,
        RegisteredQuery query,
        List<AfterImage> result) {
    public QueryTerms {
        result = List.copyOf(result);
    }

    QueryId id() {
        return new QueryId(service, table, key, registeredMillis);
    }

    /** Whether the result is all that the filter selects, as far as can be told. */
    boolean isWholeResult() {
        return query.limit() == 0 || result.size() < query.offset() + query.limit();
    }
}
