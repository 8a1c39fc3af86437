package io.kipimo.core.ttl;

/**
 * State of one record, from which its time to live is estimated.
 *
 * @param lastReadMillis time of the last read, epoch milliseconds; {@link Long#MIN_VALUE}: never read
 */
public record TrackedRecord(WriteCount writes, long lastReadMillis, PublishedTtl published) {
    public static final TrackedRecord NEW = new TrackedRecord(WriteCount.NONE, Long.MIN_VALUE, PublishedTtl.NOTHING);
}
