package io.kipimo.duplicates;

import io.kipimo.redis.RedisSettings;
import io.kipimo.sdk.internal.net.Address;
import io.kipimo.sdk.kafka.KafkaSettings;

/**
 * A duplicate.
 *
 * @param topic of the writes; see {@link OrderedLog}
 * @param redis of this duplicate alone; no other process may write there, and it must not evict
 * @param listen address for clients; port 0: any free port
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
