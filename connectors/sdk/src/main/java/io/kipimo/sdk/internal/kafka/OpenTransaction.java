package io.kipimo.sdk.internal.kafka;

/**
 * A transaction behind which committed records of a partition wait.
 *
 * @param topic full name
 * @param producer the transactional id, or the number of the producer if the coordinator does not tell
 * @param waiting records from its first one to the end of the partition
 * @param silentMillis time since the producer's last record in the partition
 */
public record OpenTransaction(String topic, int partition, String producer, long waiting, long silentMillis) {
    /** Exactly-once sinks commit with their checkpoints. A producer that writes nothing meanwhile may hang. */
    private static final long HANGS_MILLIS = 10_000;

    /** Whether the producer has written nothing for so long that it may hang. */
    public boolean hangs() {
        return silentMillis >= HANGS_MILLIS;
    }

    @Override
    public String toString() {
        return "%s-%d: %d records wait behind an open transaction of producer %s, which has been silent for %.0f s"
                .formatted(topic, partition, waiting, producer, silentMillis / 1e3);
    }
}
