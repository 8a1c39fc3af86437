package io.kipimo.schemas.tails;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Size;
import io.kipimo.schemas.field.Text;
import java.util.List;

/**
 * A query that one server answered without items that another server had.
 *
 * @param atMillis time when the two answers were compared last, epoch milliseconds
 * @param server server that lacked items
 * @param other server that had these items
 * @param isLag whether {@code server} had the items when it was asked again
 * @param lacked number of these items; 0: the order differs
 * @param items some of these items, best first; if an identifier is no text, its digest
 */
public record DivergentQuery(
        @Text String queryId,
        @Range(least = 1, most = Range.LATEST_MILLIS) long atMillis,
        @Name String server,
        @Name String other,
        boolean isLag,
        @Range(most = Integer.MAX_VALUE) int lacked,

        @Text(mayBeEmpty = true) @Size(most = DivergentQuery.MOST_ITEMS)
        List<String> items) {
    /** Greatest length of {@code items}. */
    public static final int MOST_ITEMS = 3;
}
