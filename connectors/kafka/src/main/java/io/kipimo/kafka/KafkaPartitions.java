package io.kipimo.kafka;

import io.kipimo.operators.quality.LogPartitions;
import io.kipimo.schemas.quality.QueryKey;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.utils.Utils;

/**
 * Computes the partitions of records whose key is the query's id as Kafka's producers do: the murmur2 hash of the key,
 * modulo the number of partitions. An instance is for one thread.
 */
public final class KafkaPartitions implements LogPartitions {
    private final int count;
    private final byte[] traceId = new byte[QueryKey.TRACE_ID_LENGTH];

    /** @param count number of partitions, at least 1 */
    public KafkaPartitions(int count) {
        this.count = count;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public int partitionOf(QueryKey key) {
        return Utils.toPositive(Utils.murmur2(keyOf(key))) % count;
    }

    private byte[] keyOf(QueryKey key) {
        if (!key.isTraceId()) {
            return key.queryId().getBytes(StandardCharsets.UTF_8);
        }
        key.writeTraceId(traceId);
        return traceId;
    }
}
