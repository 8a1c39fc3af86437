package io.kipimo.operators.ttl;

import io.kipimo.core.stale.KeyHash;

/**
 * Parts of a table's records, and of its queries. Streams are keyed by them and not by key, so that
 * a timer a shard sees to all of its keys, and what is asked of many records takes few messages.
 */
public final class TtlShards {
    /** Fixed for ever: state is found by them. Twice the greatest parallelism. */
    static final int COUNT = 256;

    private TtlShards() {}

    /** Of a record, or of a query: 0..255, the highest byte of its {@link KeyHash}. */
    public static int of(String key) {
        return (int) (KeyHash.of(key) >>> (Long.SIZE - Byte.SIZE));
    }

    /** Service and table have no slash. */
    static String scope(String service, String table, int shard) {
        return service + '/' + table + '/' + shard;
    }
}
