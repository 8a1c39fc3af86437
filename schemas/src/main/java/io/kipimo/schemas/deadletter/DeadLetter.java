package io.kipimo.schemas.deadletter;

/**
 * A record that could not be used; topic {@code dead-letters}. Identity: topic, partition, offset.
 *
 * @param detail the field, its value and what is allowed
 * @param payload the first bytes of the record's value, at most {@link #MAXIMUM_PAYLOAD_BYTES}
 */
public record DeadLetter(
        String topic,
        int partition,
        long offset,
        RejectionReason reason,
        String detail,
        byte[] key,
        byte[] payload,
        long seenAtMillis) {
    public static final int MAXIMUM_PAYLOAD_BYTES = 64 * 1024;
}
