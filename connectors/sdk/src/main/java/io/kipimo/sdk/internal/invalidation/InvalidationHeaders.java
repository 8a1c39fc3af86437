package io.kipimo.sdk.internal.invalidation;

import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * What records of topic {@code invalidations} carry beside their message, 8 bytes each, big-endian:
 * facts of the log rather than of the invalidation.
 */
public final class InvalidationHeaders {
    /** Rises with each writer of the partition. */
    private static final String EPOCH = "kipimo-epoch";

    /** Tells registrations of a query apart. */
    private static final String REGISTERED = "kipimo-registered-millis";

    private InvalidationHeaders() {}

    public static void add(Headers headers, long epoch, long registeredMillis) {
        headers.add(EPOCH, bytes(epoch));
        headers.add(REGISTERED, bytes(registeredMillis));
    }

    /** 0 if there is none. */
    public static long epoch(Headers headers) {
        return number(headers.lastHeader(EPOCH));
    }

    /** Of the query, epoch milliseconds; 0 of a record, or if there is none. */
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
