package io.kipimo.schemas.caching;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Size;
import java.util.List;

/**
 * Freshness of sampled reads (probes) of one table's recently written keys; topic {@code cache-truth}. Identity:
 * service, table, prober, end.
 *
 * @param prober process that reads
 * @param startMillis start of the time that the probes cover, epoch milliseconds
 * @param endMillis end of this time, exclusive
 * @param links counts for each link and each time within which reads are to be fresh
 */
public record CacheTruth(
        @Name String service,
        @Name String table,
        @Name String prober,
        @Range(least = 1, most = Range.LATEST_MILLIS) long startMillis,

        @Range(leastOf = "startMillis", most = Range.LATEST_MILLIS)
        long endMillis,

        @Size(most = CacheTruth.MOST_LINKS) List<LinkTruth> links) {
    /** Greatest length of {@code links}. */
    public static final int MOST_LINKS = 40;
}
