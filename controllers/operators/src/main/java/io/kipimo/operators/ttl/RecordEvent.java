package io.kipimo.operators.ttl;

import java.util.List;

/**
 * Something happened to records of one shard.
 *
 * @param atMillis event time, epoch milliseconds
 * @param query that asks for the rates of the records; empty of other kinds
 * @param records one, or those that a query asks for
 */
record RecordEvent(
        Kind kind,
        String service,
        String table,
        long atMillis,
        String query,
        List<String> records) {
    /** In the order in which events of one millisecond count. */
    enum Kind {
        WRITTEN,
        READ,
        /** A query whose result has the records was read. */
        ASKED
    }

    int shard() {
        return TtlShards.of(records.get(0));
    }

    String scope() {
        return TtlShards.scope(service, table, shard());
    }
}
