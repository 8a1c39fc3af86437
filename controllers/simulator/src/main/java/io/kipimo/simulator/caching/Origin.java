package io.kipimo.simulator.caching;

import io.kipimo.core.stale.ExpiringFilter;
import io.kipimo.core.stale.FlatFilter;
import io.kipimo.core.stale.RecentKeys;
import io.kipimo.core.stale.StaleKeys;
import io.kipimo.core.ttl.CachedQuery;
import io.kipimo.core.ttl.TtlEstimator;
import io.kipimo.core.ttl.WriteRates;
import io.kipimo.simulator.engine.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The origin: versions, the filter and times to live of all records and queries. Keys are numbers, records first, then
 * queries. The version of a query is the number of writes to its records.
 */
final class Origin {
    private static final long RATE_WINDOW_MILLIS = 60_000;

    private final CachingSpec spec;
    private final String[] names;
    private final int[] version;

    /** Times of a key's writes, in order; version v was superseded by write v. */
    private final long[][] writtenAtMillis;

    private final List<List<String>> recordsOf = new ArrayList<>();
    private final List<int[]> recordNumbersOf = new ArrayList<>();
    private final List<List<Integer>> queriesOf;
    private final ExpiringFilter filter;
    private final WriteRates rates;
    private final TtlEstimator ttls;
    private final CachedQuery[] cached;
    private final long[] firstReadMillis;
    private final double[] handedOutMillis;
    private final List<TrueTtl> trueTtls = new ArrayList<>();

    Origin(CachingSpec spec, RandomStream random, long startMillis) {
        this.spec = spec;
        int keys = spec.records() + spec.queries();
        names = new String[keys];
        for (int key = 0; key < keys; key++) {
            names[key] = key < spec.records() ? "record/" + key : "query/" + (key - spec.records());
        }
        version = new int[keys];
        writtenAtMillis = new long[keys][0];
        queriesOf = new ArrayList<>();
        for (int record = 0; record < spec.records(); record++) {
            queriesOf.add(new ArrayList<>());
        }
        for (int query = 0; query < spec.queries(); query++) {
            List<String> records = new ArrayList<>();
            int[] numbers = random.ints(0, spec.records())
                    .distinct()
                    .limit(spec.recordsPerQuery())
                    .toArray();
            for (int record : numbers) {
                records.add(names[record]);
                queriesOf.get(record).add(spec.records() + query);
            }
            recordsOf.add(records);
            recordNumbersOf.add(numbers);
        }
        filter = new ExpiringFilter(spec.filter(), spec.ttls().longestMillis());
        rates = new WriteRates(RATE_WINDOW_MILLIS, 1, startMillis);
        ttls = new TtlEstimator(spec.ttls());
        cached = new CachedQuery[keys];
        firstReadMillis = new long[keys];
        handedOutMillis = new double[keys];
    }

    String name(int key) {
        return names[key];
    }

    boolean isQuery(int key) {
        return key >= spec.records();
    }

    int version(int key) {
        return version[key];
    }

    /** Reads a key. Returns when caches must drop the answer, epoch milliseconds. */
    long read(int key, long nowMillis) {
        double rate = rate(key, nowMillis);
        long ttl;
        if (isQuery(key)) {
            cached[key] = ttls.read(cached[key], rate, nowMillis);
            ttl = ttls.queryMillis(cached[key]);
        } else {
            ttl = ttls.recordMillis(rate);
        }
        if (firstReadMillis[key] == 0) {
            firstReadMillis[key] = nowMillis;
            handedOutMillis[key] = ttl;
        }
        filter.reportRead(names[key], nowMillis + Math.max(ttl, spec.sharedTtlMillis()), nowMillis);
        return nowMillis + ttl;
    }

    private double rate(int key, long nowMillis) {
        return isQuery(key)
                ? rates.perSecond(recordsOf.get(key - spec.records()), nowMillis)
                : rates.perSecond(names[key], nowMillis);
    }

    /** Changes a record, and with it the versions of its queries. */
    int write(int record, long nowMillis) {
        rates.wrote(names[record], nowMillis);
        change(record, nowMillis);
        for (int query : queriesOf.get(record)) {
            change(query, nowMillis);
        }
        return version[record];
    }

    private void change(int key, long nowMillis) {
        int at = version[key]++;
        if (at == writtenAtMillis[key].length) {
            writtenAtMillis[key] = Arrays.copyOf(writtenAtMillis[key], Math.max(4, 2 * at));
        }
        writtenAtMillis[key][at] = nowMillis;
    }

    /** The records in a query's result. */
    int[] recordsOf(int query) {
        return recordNumbersOf.get(query - spec.records());
    }

    List<Integer> queriesOf(int record) {
        return queriesOf.get(record);
    }

    /** Records that a change is known. Returns whether some cache may hold the old content. */
    boolean invalidate(int key, long nowMillis) {
        StaleKeys.InvalidationEffect invalidation = filter.invalidate(names[key], nowMillis);
        if (isQuery(key) && cached[key] != null) {
            cached[key] = ttls.invalidated(cached[key], 0, nowMillis);
        }
        if (isQuery(key) && firstReadMillis[key] != 0) {
            trueTtls.add(new TrueTtl(handedOutMillis[key], nowMillis - firstReadMillis[key]));
            firstReadMillis[key] = 0;
        }
        return invalidation != StaleKeys.InvalidationEffect.NOT_CACHED;
    }

    boolean isStale(int key, long nowMillis) {
        return filter.isStale(names[key], nowMillis);
    }

    FlatFilter filter(long nowMillis) {
        return filter.flat(nowMillis);
    }

    RecentKeys recent(long nowMillis) {
        return filter.recent(nowMillis);
    }

    /** Returns when a version was replaced, epoch milliseconds; the largest long if it is the newest. */
    long supersededMillis(int key, int of) {
        return of < version[key] ? writtenAtMillis[key][of] : Long.MAX_VALUE;
    }

    /** Estimated and true times to live of invalidated keys. */
    List<TrueTtl> trueTtls() {
        return trueTtls;
    }
}
