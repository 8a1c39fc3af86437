package io.kipimo.schemas.caching;

import io.kipimo.schemas.field.Document;
import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Text;

/**
 * A record after a write; topic {@code writes}.
 *
 * @param version version of the record, at least 0, increasing with each write
 * @param writtenMillis the event time, epoch milliseconds
 * @param document content of the record in MongoDB's extended JSON, at most {@value #LONGEST_DOCUMENT} UTF-16 code
 *     units; empty for a delete
 */
public record RecordWrite(
        @Name String service,
        @Name String table,
        @Text(longest = CacheRead.LONGEST_KEY) String record,
        WriteKind kind,
        @Range(most = RecordWrite.LARGEST_VERSION) long version,
        @Range(least = 1, most = Range.LATEST_MILLIS) long writtenMillis,
        @Document(longest = RecordWrite.LONGEST_DOCUMENT) String document) {
    /** A document of this length fits into a broker's default message size. */
    public static final int LONGEST_DOCUMENT = 1_000_000;

    /** Greatest version; nanoseconds since 1970 are below it. */
    public static final long LARGEST_VERSION = 1L << 62;
}
