package io.kipimo.operators.ttl;

import io.kipimo.schemas.caching.CacheRead;
import io.kipimo.schemas.field.WithBuilder;

/**
 * An event of one query's result: a read, a change, or rates of its records.
 *
 * @param atMillis event time, epoch milliseconds; for rates, the time of the read that requested them
 * @param shard for rates, the shard of the records; for a read, the number of shards that are asked for rates
 * @param writesPerSecond for rates, the sum over the result's records in the shard
 * @param records for a read, the records of the result, best first, hashed; empty if results are not compared
 * @param ttlMillis for a read, the time to live that the reader was given, milliseconds
 * @param size for a read, the number of records in the result
 * @param changesIds for a change, whether records entered or left the result, or moved in it
 */
@WithBuilder
record QueryChange(
        QueryChangeKind kind,
        String service,
        String table,
        String query,
        long atMillis,
        int shard,
        double writesPerSecond,
        long[] records,
        long ttlMillis,
        int size,
        boolean changesIds)
        implements ShardFunction.ShardEvent {
    private static final long[] NO_RECORDS = {};

    /** Kinds of events. Events of one millisecond are applied in this order. */
    enum QueryChangeKind {
        RATES,
        READ,
        CHANGED
    }

    static QueryChange rates(RecordEvent asked, double writesPerSecond) {
        return QueryChangeBuilder.builder()
                .kind(QueryChangeKind.RATES)
                .service(asked.service())
                .table(asked.table())
                .query(asked.query())
                .atMillis(asked.atMillis())
                .shard(asked.shard())
                .writesPerSecond(writesPerSecond)
                .records(NO_RECORDS)
                .build();
    }

    /**
     * @param shards number of shards asked for rates
     * @param records records of the result, best first, hashed; empty if results are not compared
     */
    static QueryChange read(CacheRead read, int shards, long[] records) {
        return QueryChangeBuilder.builder()
                .kind(QueryChangeKind.READ)
                .service(read.service())
                .table(read.table())
                .query(read.key())
                .atMillis(read.readMillis())
                .shard(shards)
                .records(records)
                .ttlMillis(read.ttlMillis())
                .size(read.recordKeys().size())
                .build();
    }

    static QueryChange changed(String service, String table, String query, long atMillis, boolean changesIds) {
        return QueryChangeBuilder.builder()
                .kind(QueryChangeKind.CHANGED)
                .service(service)
                .table(table)
                .query(query)
                .atMillis(atMillis)
                .records(NO_RECORDS)
                .changesIds(changesIds)
                .build();
    }

    String scope() {
        return TtlShards.scope(service, table, TtlShards.of(query));
    }
}
