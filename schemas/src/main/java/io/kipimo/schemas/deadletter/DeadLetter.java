package io.kipimo.schemas.deadletter;

import io.kipimo.schemas.field.Document;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Text;
import java.util.Arrays;

/**
 * A record that could not be used; topic {@code dead-letters}. Identity: topic, partition, offset.
 *
 * @param detail the field, its value and what is allowed
 * @param payload the first bytes of the record's value, at most {@link #MAXIMUM_PAYLOAD_BYTES}
 */
public record DeadLetter(
        @Text String topic,
        int partition,
        long offset,
        RejectionReason reason,
        @Document String detail,
        byte[] key,
        byte[] payload,
        @Range(least = 1, most = Range.LATEST_MILLIS) long seenAtMillis) {
    public static final int MAXIMUM_PAYLOAD_BYTES = 64 * 1024;

    /** Keeps the first bytes of a longer payload. */
    public DeadLetter {
        if (payload.length > MAXIMUM_PAYLOAD_BYTES) {
            payload = Arrays.copyOf(payload, MAXIMUM_PAYLOAD_BYTES);
        }
    }
}
