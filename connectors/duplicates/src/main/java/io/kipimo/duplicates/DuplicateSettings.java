package io.kipimo.duplicates;

import io.kipimo.redis.RedisSettings;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.kipimo.sdk.net.Address;

/**
 * A duplicate.
 *
 * @param topic that the writes go through; see {@link OrderedLog}
 * @param redis its own; nobody else may write there, and it must not evict
 * @param listen where clients ask; port 0: any that is free
 * @param patienceMillis after which a silent Redis counts as failed, 1..60000
 */
public record DuplicateSettings(
        KafkaSettings kafka,
        String topic,
        RedisSettings redis,
        Address listen,
        int patienceMillis) {
    public static final int PATIENCE_MILLIS = 1_000;

    public DuplicateSettings {
        if (patienceMillis < 1 || patienceMillis > 60_000) {
            throw new IllegalArgumentException(
                    "patience is " + patienceMillis + " ms; allowed: 1..60000");
        }
    }
}
