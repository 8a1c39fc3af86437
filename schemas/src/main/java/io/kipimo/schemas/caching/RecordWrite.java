package io.kipimo.schemas.caching;

/**
 * A record as a write left it; topic {@code writes}.
 *
 * @param version of the record, at least 0, rising with each write
 * @param writtenMillis the event time, epoch milliseconds
 * @param document MongoDB's extended JSON, at most {@value #LONGEST_DOCUMENT} UTF-16 code units;
 *     empty of a delete
 */
public record RecordWrite(
        String service,
        String table,
        String record,
        WriteKind kind,
        long version,
        long writtenMillis,
        String document) {
    /** What fits into a broker's message by default. */
    public static final int LONGEST_DOCUMENT = 1_000_000;

    /** No version is greater; nanoseconds since 1970 are below it. */
    public static final long LARGEST_VERSION = 1L << 62;
}
