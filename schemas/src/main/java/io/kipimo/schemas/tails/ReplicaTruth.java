package io.kipimo.schemas.tails;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Size;
import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.List;

/**
 * Comparison of the answers of one component's servers to the same queries, which tells whether answers depend on the
 * server asked; topic {@code replica-truth}. Identity: service, component, reporter, end.
 *
 * @param reporter process that compared answers
 * @param startMillis start of the time that the comparisons cover, epoch milliseconds
 * @param endMillis end of this time, exclusive
 * @param same comparisons in which the answers were equal
 * @param ties comparisons in which only items of equal scores were in another order
 * @param lag comparisons in which the answers differed, but no longer when both servers were asked again
 * @param different comparisons in which the answers still differed when both servers were asked again
 * @param unknown comparisons in which the answers differed, and not both servers answered again
 * @param queries the newest queries whose answers differed, newest first
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
