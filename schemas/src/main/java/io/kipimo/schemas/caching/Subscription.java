package io.kipimo.schemas.caching;

import java.util.List;

/**
 * A query whose cached result is to be invalidated; topic {@code subscriptions}, compacted by
 * service/table/key. A later {@code registeredMillis} wins; an empty value ends it.
 *
 * @param key of the cached result
 * @param filter MongoDB's filter language, extended JSON, at most {@value #LONGEST_FILTER} UTF-16
 *     code units
 * @param sort {@code {"field": 1, "other": -1}}; empty: not sorted
 * @param limit most records in the result; 0: no limit
 * @param offset records that are skipped
 * @param evaluatedMillis before the query was evaluated, epoch milliseconds; writes from then on
 *     are replayed
 * @param result as it was evaluated, at most 10,000; of a sorted query from the first, including
 *     what the offset skips
 * @param registeredMillis epoch milliseconds, not before {@code evaluatedMillis}
 */
public record Subscription(
        String service,
        String table,
        String key,
        String filter,
        String sort,
        int limit,
        int offset,
        ResultRepresentation representation,
        long evaluatedMillis,
        List<ResultRecord> result,
        long registeredMillis) {
    public static final int LONGEST_FILTER = 65_536;
}
