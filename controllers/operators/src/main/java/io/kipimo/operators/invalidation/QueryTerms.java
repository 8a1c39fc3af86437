package io.kipimo.operators.invalidation;

import io.kipimo.core.invalidation.AfterImage;
import io.kipimo.core.invalidation.RegisteredQuery;
import io.kipimo.core.invalidation.Representation;
import java.util.List;

/**
 * A subscription whose JSON texts have been parsed.
 *
 * @param key key of the cached result
 * @param registeredMillis distinguishes subscriptions of one key; the latest one counts
 * @param evaluatedMillis time of evaluation, epoch milliseconds; the result may lack writes from this time on
 * @param result evaluated records; with images only if the query is windowed
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

    /** Whether the result certainly has all records that the filter selects. */
    boolean isWholeResult() {
        return query.limit() == 0 || result.size() < query.offset() + query.limit();
    }
}
