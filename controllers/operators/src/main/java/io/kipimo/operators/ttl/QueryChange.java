package io.kipimo.operators.ttl;

import io.kipimo.schemas.caching.CacheRead;

/**
 * Something happened to one query's result.
 *
 * @param atMillis event time, epoch milliseconds; of rates, when the query was read that asked
 * @param shard of the records whose rates these are; of a read, how many shards were asked
 * @param writesPerSecond sum over the records of the result that are in the shard
 * @param records of a result that was read, best first, hashed; empty if results are not compared
 * @param ttlMillis of a read: that was handed out
 * @param size of a read: records in the result
 * @param changesIds of a change: whether records entered or left the result, or moved in it
 */
record QueryChange(
        Kind kind,
        String service,
        String table,
        String query,
        long atMillis,
        int shard,
        double writesPerSecond,
        long[] records,
        long ttlMillis,
        int size,
        boolean changesIds) {
    private static final long[] NO_RECORDS = {};

    /** In the order in which events of one millisecond count. */
    enum Kind {
        RATES,
        READ,
        CHANGED
    }

    static QueryChange rates(RecordEvent asked, double writesPerSecond) {
        return new QueryChange(
                Kind.RATES,
                asked.service(),
                asked.table(),
                asked.query(),
                asked.atMillis(),
                asked.shard(),
                writesPerSecond,
                NO_RECORDS,
                0,
                0,
                false);
    }

    /**
     * @param shards that were asked for rates
     * @param records of the result, best first, hashed; empty if results are not compared
     */
    static QueryChange read(CacheRead read, int shards, long[] records) {
        return new QueryChange(
                Kind.READ,
                read.service(),
                read.table(),
                read.key(),
                read.readMillis(),
                shards,
                0,
                records,
                read.ttlMillis(),
                read.recordKeys().size(),
                false);
    }

    static QueryChange changed(
            String service, String table, String query, long atMillis, boolean changesIds) {
        return new QueryChange(
                Kind.CHANGED, service, table, query, atMillis, 0, 0, NO_RECORDS, 0, 0, changesIds);
    }

    String scope() {
        return TtlShards.scope(service, table, TtlShards.of(query));
    }
}
