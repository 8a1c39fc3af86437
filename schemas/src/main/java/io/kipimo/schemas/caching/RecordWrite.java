package io.kipimo.schemas.caching;

/**
 * A record after a write; topic {@code writes}.
 *
 * @param version version of the record, at least 0, increasing with each write
 * @param writtenMillis the event time, epoch milliseconds
 * @param document MongoDB's extended JSON, at most {@value #LONGEST_DOCUMENT} UTF-16 code units;
 *     empty for a delete
 */
public record RecordWrite(
        String service,
        String table,
        String record,
        WriteKind kind,
        long version,
        long writtenMillis,
        String document) {
    /** A document of this length fits into a broker's default message size. */
    public static final int LONGEST_DOCUMENT = 1_000_000;

    /** Greatest version; nanoseconds since 1970 are below it. */
    public static final long LARGEST_VERSION = 1L << 62;
}
