package io.kipimo.duplicates;

import io.kipimo.redis.RedisSettings;
import io.kipimo.sdk.internal.net.Address;
import io.kipimo.sdk.kafka.KafkaSettings;

/**
 * Settings of a duplicate.
 *
 * @param topic topic of the writes; see {@link OrderedLog}
 * @param redis used by this duplicate only; no other process may write there, and it must not evict
 * @param listen listening address; port 0: any free port
 * @param patienceMillis time limit of Redis, after which it counts as failed, 1..60000
 */
public record DuplicateSettings(
        KafkaSettings kafka, String topic, RedisSettings redis, Address listen, int patienceMillis) {
    public static final int PATIENCE_MILLIS = 1_000;

    public DuplicateSettings {
        if (patienceMillis < 1 || patienceMillis > 60_000) {
            throw new IllegalArgumentException("patience is " + patienceMillis + " ms; allowed: 1..60000");
        }
    }
}
