package io.kipimo.operators.ttl;

import io.kipimo.core.stale.KeyHash;

/**
 * Divides the records and queries of a table into shards. Streams are keyed by shard instead of by key, so that one
 * timer serves all keys of a shard, and a request for many records takes few messages.
 */
public final class TtlShards {
    /**
     * Number of shards, which is twice the greatest parallelism. It must never change, since state is keyed by shard.
     */
    static final int COUNT = 256;

    private TtlShards() {}

    /** Shard of a record or query, 0..255: the highest byte of its {@link KeyHash}. */
    public static int of(String key) {
        return (int) (KeyHash.of(key) >>> (Long.SIZE - Byte.SIZE));
    }

    /** Key of a shard. Names of services and tables have no slash. */
    static String scope(String service, String table, int shard) {
        return service + '/' + table + '/' + shard;
    }
}
