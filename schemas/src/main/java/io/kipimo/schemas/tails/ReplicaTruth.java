package io.kipimo.schemas.tails;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Size;
import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.List;

/**
 * Whether the answers of one component's servers depended on which of them was asked; topic {@code replica-truth}.
 * Identity: service, component, reporter, end.
 *
 * @param reporter process that compared answers
 * @param startMillis the comparisons are those since then, epoch milliseconds
 * @param endMillis exclusive
 * @param same number of comparisons of equal answers
 * @param ties comparisons in which only items of equal scores were in another order
 * @param lag which differed, and no longer did when both were asked again
 * @param different which still differed then
 * @param unknown which differed, without an answer of both to the second question
 * @param queries the newest that differed, newest first
 */
@WithBuilder
public record ReplicaTruth(
        @Name String service,
        @Name String component,
        @Name String reporter,
        @Range(least = 1, most = Range.LATEST_MILLIS) long startMillis,

        @Range(leastOf = "startMillis", most = Range.LATEST_MILLIS)
        long endMillis,

        long same,
        long ties,
        long lag,
        long different,
        long unknown,

        @Initializer(source = List.class, value = "of") @Size(most = ReplicaTruth.MOST_SERVERS)
        List<ServerTruth> servers,

        @Initializer(source = List.class, value = "of") @Size(most = ReplicaTruth.MOST_QUERIES)
        List<DivergentQuery> queries) {
    /** Greatest length of {@code servers}. */
    public static final int MOST_SERVERS = 100;

    /** Greatest length of {@code queries}. */
    public static final int MOST_QUERIES = 20;

    /** Comparisons whose verdict is known. */
    public long known() {
        return same + ties + lag + different;
    }
}
