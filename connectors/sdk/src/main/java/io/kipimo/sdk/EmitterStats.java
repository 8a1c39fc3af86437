package io.kipimo.sdk;

/**
 * Delivery counts of events since the start.
 *
 * @param accepted events that entered the buffer
 * @param delivered events that Kafka acknowledged
 * @param deliveredBytes bytes of their keys and values, before compression
 * @param bufferFull events dropped because the buffer was full
 * @param undelivered events dropped after the buffer: not encodable, too large, or Kafka was unavailable
 */
public record EmitterStats(long accepted, long delivered, long deliveredBytes, long bufferFull, long undelivered) {
    /** All dropped events. */
    public long dropped() {
        return bufferFull + undelivered;
    }
}
