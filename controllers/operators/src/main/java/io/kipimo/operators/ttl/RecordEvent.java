package io.kipimo.operators.ttl;

import java.util.List;

/**
 * An event of records of one shard: a read, a write, or a request for rates.
 *
 * @param atMillis event time, epoch milliseconds
 * @param query query that requests the rates of the records; empty for other kinds
 * @param records one record, or all those in a request for rates
 */
record RecordEvent(
        RecordEventKind kind, String service, String table, long atMillis, String query, List<String> records)
        implements ShardFunction.ShardEvent {
    /** Kinds of events. Events of one millisecond are applied in this order. */
    enum RecordEventKind {
        WRITTEN,
        READ,
        /** A request for the write rates of the records, caused by a read of a query whose result has them. */
        ASKED
    }

    int shard() {
        return TtlShards.of(records.get(0));
    }

    String scope() {
        return TtlShards.scope(service, table, shard());
    }
}
