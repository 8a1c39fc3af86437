package io.kipimo.schemas.caching;

import io.kipimo.schemas.field.Document;
import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Text;
import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.List;

/**
 * A query whose cached result Kipimo invalidates; topic {@code subscriptions}, compacted by service/table/key. The
 * record with the latest {@code registeredMillis} counts; an empty value ends the subscription.
 *
 * @param key key of the cached result
 * @param filter the query's condition in MongoDB's filter language, extended JSON, at most {@value #LONGEST_FILTER}
 *     UTF-16 code units
 * @param sort order of the result, such as {@code {"field": 1, "other": -1}}; empty: not sorted
 * @param limit greatest number of records in the result; 0: no limit
 * @param offset number of records that are skipped
 * @param evaluatedMillis a time before the query was evaluated, epoch milliseconds; writes from then on are replayed
 * @param result the evaluated result, at most 10,000 records; for a sorted query it begins at the first record and
 *     includes those that the offset skips
 * @param registeredMillis epoch milliseconds, not before {@code evaluatedMillis}
 */
@WithBuilder
public record Subscription(
        @Name String service,
        @Name String table,
        @Text(longest = CacheRead.LONGEST_KEY) String key,
        @Document(longest = Subscription.LONGEST_FILTER) String filter,
        @Document(longest = Subscription.LONGEST_FILTER) String sort,
        int limit,
        int offset,
        ResultRepresentation representation,
        @Range(least = 1, most = Range.LATEST_MILLIS) long evaluatedMillis,
        @Initializer(source = List.class, value = "of") List<ResultRecord> result,

        @Range(leastOf = "evaluatedMillis", most = Range.LATEST_MILLIS)
        long registeredMillis) {
    public static final int LONGEST_FILTER = 65_536;
}
