package io.kipimo.operators.ttl;

/**
 * Something happened to one query's result.
 *
 * @param atMillis event time, epoch milliseconds; of rates, when the query was read that asked
 * @param shard of the records whose rates these are; of a read, how many shards were asked
 * @param writesPerSecond sum over the records of the result that are in the shard
 * @param records of a result that was read, best first, hashed; empty if results are not compared
 */
record QueryChange(
        Kind kind,
        String service,
        String table,
        String query,
        long atMillis,
        int shard,
        double writesPerSecond,
        long[] records) {
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
                NO_RECORDS);
    }

    static QueryChange changed(String service, String table, String query, long atMillis) {
        return new QueryChange(Kind.CHANGED, service, table, query, atMillis, 0, 0, NO_RECORDS);
    }

    String scope() {
        return TtlShards.scope(service, table, TtlShards.of(query));
    }
}
