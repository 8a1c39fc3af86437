package io.kipimo.schemas.caching;

import java.util.Optional;

/**
 * For how long a record or a query's result may be cached; topic {@code ttls}, compacted by
 * service/table/key. A later {@code estimatedMillis} wins.
 *
 * @param ttlMillis to be handed out, 0..{@value CacheRead#LONGEST_TTL_MILLIS}
 * @param meanMillis estimated time from a read to the next change; empty: nothing is written, as
 *     far as is known
 * @param isLearnt from invalidations; else from the rates of writes
 * @param lossPerChange quality that a result lacks when it misses one change, 0..1
 * @param invalidations so far
 * @param estimatedMillis the event time, epoch milliseconds
 * @param representation the form in which it costs clients least time that the query is cached; ANY
 *     of a record, and while too little is known
 * @param hitsSavedPerSecond reads that caches are expected to answer in the origin's stead, from 0;
 *     0 of a record
 */
public record TtlEstimate(
        String service,
        String table,
        String key,
        CachedKind kind,
        long ttlMillis,
        Optional<Double> meanMillis,
        boolean isLearnt,
        double lossPerChange,
        long invalidations,
        long estimatedMillis,
        ResultRepresentation representation,
        double hitsSavedPerSecond) {

    /** Service, table and key with {@code /} between: the key in the topic. */
    public String scope() {
        return CachedScope.of(service, table, key);
    }
}
