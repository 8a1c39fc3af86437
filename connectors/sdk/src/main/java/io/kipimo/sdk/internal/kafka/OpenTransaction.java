package io.kipimo.sdk.internal.kafka;

/**
 * A transaction behind which committed records of a partition wait.
 *
 * @param topic full name
 * @param producer the producer's transactional id, or its number if the coordinator does not tell the id
 * @param waiting number of records from the transaction's first one to the end of the partition
 * @param silentMillis time since the producer's last record in the partition
 */
public record OpenTransaction(String topic, int partition, String producer, long waiting, long silentMillis) {
    /** Milliseconds of silence after which a producer may hang. Exactly-once sinks commit at checkpoints. */
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
