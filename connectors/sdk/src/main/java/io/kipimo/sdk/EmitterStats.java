package io.kipimo.sdk;

/**
 * What became of events since the start.
 *
 * @param accepted into the buffer
 * @param delivered that the log acknowledged
 * @param deliveredBytes of keys and values of these, before compression
 * @param bufferFull dropped because too many were waiting
 * @param undelivered dropped after the buffer: not encodable, too large, or the log was away
 */
public record EmitterStats(
        long accepted, long delivered, long deliveredBytes, long bufferFull, long undelivered) {
    public long dropped() {
        return bufferFull + undelivered;
    }
}
