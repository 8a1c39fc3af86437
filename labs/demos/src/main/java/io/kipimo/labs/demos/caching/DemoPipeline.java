package io.kipimo.labs.demos.caching;

import io.kipimo.caching.filter.FilterPublisher;
import io.kipimo.core.stale.FilterShape;
import io.kipimo.embedded.process.Await;
import io.kipimo.labs.demos.caching.ProductStore.ProductContent;
import io.kipimo.redis.RedisStaleKeys;
import io.kipimo.redis.RedisTtls;
import io.kipimo.redis.StaleReadReports;
import io.kipimo.schemas.caching.CacheRead;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.CachedScope;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.RecordWrite;
import io.kipimo.schemas.caching.ResultRecord;
import io.kipimo.schemas.caching.ResultRepresentation;
import io.kipimo.schemas.caching.Subscription;
import io.kipimo.schemas.caching.SubscriptionBuilder;
import io.kipimo.schemas.caching.WriteKind;
import io.kipimo.sdk.invalidation.QuerySubscriptions;
import io.kipimo.sdk.invalidation.QuerySubscriptions.Standing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Connects one origin to the jobs. It reports the origin's reads, writes and queries to them, and reads the ttl job's
 * times to live from Redis. It also publishes the filter in which the invalidation job marks stale keys.
 */
final class DemoPipeline implements CachingPipeline {
    static final String SERVICE = "shop";

    /** Time to live of keys for which the ttl job has no estimate. */
    static final long FIRST_TTL_MILLIS = 5_000;

    /** Greatest age of a filter when it is sent. Clients take this age into account. */
    private static final long FILTER_KEPT_MILLIS = 50;

    /** Longest wait for the notifications of the last writes. */
    private static final long PATIENCE_MILLIS = 10_000;

    private static final long LONGEST_LAG_MILLIS = 600_000;

    private final String table;
    private final ProductStore store;
    private final Platform platform;
    private final RedisTtls ttls;
    private final RedisStaleKeys keys;
    private final StaleReadReports reports;
    private final FilterPublisher publisher;
    private final QuerySubscriptions subscriptions;
    private final ExecutorService asking = Executors.newFixedThreadPool(2, task -> new Thread(task, "demo-redis"));
    private final Histogram lags = new ConcurrentHistogram(LONGEST_LAG_MILLIS, 3);
    private final AtomicLong writes = new AtomicLong();
    private final AtomicLong notifiedWrites = new AtomicLong();

    /**
     * Connects an origin.
     *
     * @param table used by this run only
     */
    DemoPipeline(CachingDemoSettings settings, String table, ProductStore store, Platform platform) {
        this.table = table;
        this.store = store;
        this.platform = platform;
        ttls = RedisTtls.at(platform.redis(), settings.forgetAfterMillis());
        keys = RedisStaleKeys.at(
                platform.redis(), SERVICE + '/' + table, FilterShape.ONE_ROUND_TRIP, settings.longestExpiryMillis());
        keys.begin(System.currentTimeMillis());
        reports = StaleReadReports.to(keys, System::currentTimeMillis);
        publisher = new FilterPublisher(
                FilterShape.ONE_ROUND_TRIP, List.of(keys), FILTER_KEPT_MILLIS, System::currentTimeMillis);
        subscriptions = QuerySubscriptions.to(platform.reports()::subscribe);
        platform.notifications().listen(table, this::notified);
    }

    @Override
    public CompletionStage<Long> ttlMillis(String key) {
        return CompletableFuture.supplyAsync(
                () -> ttls.ttlMillis(SERVICE, table, List.of(key)).get(0).orElse(FIRST_TTL_MILLIS), asking);
    }

    @Override
    public CompletionStage<Void> reportRead(String key, long expiryMillis) {
        CompletionStage<Void> reported = reports.report(key, expiryMillis);
        ProductQuery query = store.query(key);
        return query == null
                ? reported
                : reported.thenCombine(watch(query), (done, standing) -> {
                    if (standing == Standing.REFUSED) {
                        throw new IllegalStateException(key + " is not watched, and not cached");
                    }
                    return null;
                });
    }

    /** Has the result of a query watched from now on. Only the first read of the query has to subscribe. */
    private CompletionStage<Standing> watch(ProductQuery query) {
        return subscriptions.watch(
                CachedScope.of(SERVICE, table, query.key()), ResultRepresentation.OBJECT_LIST, () -> evaluated(query));
    }

    private Subscription evaluated(ProductQuery query) {
        long before = System.currentTimeMillis();
        boolean hasOrder = query.limit() > 0;
        List<ResultRecord> result = store.withSlack(query).stream()
                .map(p -> new ResultRecord(p.id(), p.version(), hasOrder ? p.json() : ""))
                .toList();
        return SubscriptionBuilder.builder()
                .service(SERVICE)
                .table(table)
                .key(query.key())
                .filter(query.filter())
                .sort(query.sort())
                .limit(query.limit())
                .representation(ResultRepresentation.OBJECT_LIST)
                .evaluatedMillis(before)
                .result(result)
                .registeredMillis(before)
                .build();
    }

    @Override
    public void read(String key, ProductContent content, long beforeMillis, long ttlMillis) {
        boolean isQuery = store.query(key) != null;
        platform.reports()
                .read(new CacheRead(
                        SERVICE,
                        table,
                        key,
                        isQuery ? CachedKind.QUERY : CachedKind.RECORD,
                        beforeMillis,
                        ttlMillis,
                        isQuery ? content.products().stream().map(Product::id).toList() : List.of()));
    }

    @Override
    public CompletionStage<Void> wrote(Product after) {
        writes.incrementAndGet();
        return platform.reports()
                .wrote(new RecordWrite(
                        SERVICE,
                        table,
                        after.id(),
                        WriteKind.UPDATE,
                        after.version(),
                        System.currentTimeMillis(),
                        after.json()));
    }

    private void notified(Invalidation one, long nowMillis) {
        lags.recordValue(Math.max(0, Math.min(LONGEST_LAG_MILLIS, nowMillis - one.writtenMillis())));
        if (one.kind() == CachedKind.RECORD) {
            notifiedWrites.incrementAndGet();
        } else if (subscriptions.notified(one)) {
            var unused = CompletableFuture.runAsync(() -> renew(one.key()), asking);
        }
    }

    /**
     * Has a result watched again, of which the job lost track. Answers since then were not watched, so the key is
     * marked as stale.
     */
    private void renew(String key) {
        var unused = watch(store.query(key));
        var unusedMeaning = keys.invalidate(List.of(key), System.currentTimeMillis());
    }

    @Override
    public FilterPublisher filter() {
        return publisher;
    }

    @Override
    public JobLag lag() {
        Await.until(
                () -> notifiedWrites.get() >= writes.get(),
                Duration.ofMillis(PATIENCE_MILLIS),
                () -> "the invalidation job sent notifications of " + notifiedWrites + " of " + writes + " writes");
        return new JobLag(
                lags.getTotalCount(), lags.getValueAtPercentile(50), lags.getValueAtPercentile(99), lags.getMaxValue());
    }

    @Override
    public void close() {
        platform.notifications().ignore(table);
        asking.shutdownNow();
        reports.close();
        keys.close();
        ttls.close();
    }
}
