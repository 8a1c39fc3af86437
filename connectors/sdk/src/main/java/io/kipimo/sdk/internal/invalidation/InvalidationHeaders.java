package io.kipimo.sdk.internal.invalidation;

import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * Record headers of topic {@code invalidations}, 8 bytes each, big-endian. They describe the record rather than the
 * invalidation.
 */
public final class InvalidationHeaders {
    /** Epoch of the writer; each new writer of the partition has a higher one. */
    private static final String EPOCH = "kipimo-epoch";

    /** Registration time of a query; it distinguishes registrations of one query. */
    private static final String REGISTERED = "kipimo-registered-millis";

    private InvalidationHeaders() {}

    public static void add(Headers headers, long epoch, long registeredMillis) {
        headers.add(EPOCH, bytes(epoch));
        headers.add(REGISTERED, bytes(registeredMillis));
    }

    /** Epoch of the writer; 0 if there is none. */
    public static long epoch(Headers headers) {
        return number(headers.lastHeader(EPOCH));
    }

    /** Registration time of the query, epoch milliseconds; 0 for a record, or if there is none. */
    public static long registeredMillis(Headers headers) {
        return number(headers.lastHeader(REGISTERED));
    }

    private static byte[] bytes(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    private static long number(Header header) {
        return header == null || header.value() == null || header.value().length != Long.BYTES
                ? 0
                : ByteBuffer.wrap(header.value()).getLong();
    }
}
