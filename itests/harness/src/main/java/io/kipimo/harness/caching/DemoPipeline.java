package io.kipimo.harness.caching;

import io.kipimo.caching.filter.FilterPublisher;
import io.kipimo.core.stale.FilterShape;
import io.kipimo.core.stale.StaleKeys;
import io.kipimo.core.ttl.CachedQuery;
import io.kipimo.core.ttl.TtlEstimator;
import io.kipimo.core.ttl.TtlSettings;
import io.kipimo.core.ttl.WriteRates;
import io.kipimo.harness.caching.ProductStore.Content;
import io.kipimo.redis.RedisStaleKeys;
import io.kipimo.redis.StaleReadReports;
import io.kipimo.schemas.caching.CacheRead;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.RecordWrite;
import io.kipimo.schemas.caching.WriteKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The filter in Redis, reads and writes in the log; times to live and changed queries are found by
 * the core's own code in this process.
 */
final class DemoPipeline implements CachingPipeline {
    static final String SERVICE = "shop";

    private static final long RATE_WINDOW_MILLIS = 10_000;

    /** Of a query that was never read. */
    private static final long FIRST_TTL_MILLIS = 1_000;

    /** How old a filter may be when it is sent; clients count that in. */
    private static final long FILTER_KEPT_MILLIS = 50;

    private final String table;
    private final ProductStore store;
    private final List<ProductQuery> allQueries;
    private final Platform platform;
    private final Consumer<String> onInvalidation;
    private final TtlEstimator estimator;
    private final WriteRates rates;
    private final Map<String, CachedQuery> queries = new HashMap<>();
    private final RedisStaleKeys keys;
    private final StaleReadReports reports;
    private final FilterPublisher publisher;
    private final ExecutorService changes =
            Executors.newSingleThreadExecutor(task -> new Thread(task, "demo-changes"));
    private final AtomicLong invalidations = new AtomicLong();

    /**
     * @param onInvalidation takes keys that some cache may hold and that are stale now
     */
    DemoPipeline(
            CachingDemoSettings settings,
            WayOfCaching way,
            ProductStore store,
            Platform platform,
            Consumer<String> onInvalidation) {
        this.table = way.table();
        this.store = store;
        this.allQueries = ProductQuery.all(settings.categories());
        this.platform = platform;
        this.onInvalidation = onInvalidation;
        long longest = settings.longestTtlMillis();
        estimator =
                new TtlEstimator(
                        new TtlSettings(
                                0.5, 0.7, 1000, longest, 2 * longest, OptionalDouble.empty()));
        rates = new WriteRates(RATE_WINDOW_MILLIS, 1, System.currentTimeMillis());
        keys =
                RedisStaleKeys.at(
                        platform.redis(),
                        SERVICE + '/' + table,
                        FilterShape.ONE_ROUND_TRIP,
                        longest + CachingDemoSettings.EXPIRY_MARGIN_MILLIS);
        // The runs' warm-up had it.
        keys.clear();
        reports = StaleReadReports.to(keys, System::currentTimeMillis);
        publisher =
                new FilterPublisher(
                        FilterShape.ONE_ROUND_TRIP,
                        List.of(keys),
                        FILTER_KEPT_MILLIS,
                        System::currentTimeMillis);
    }

    @Override
    public synchronized long ttlMillis(String key, boolean isQuery) {
        if (!isQuery) {
            return estimator.recordMillis(rates.perSecond(key, System.currentTimeMillis()));
        }
        CachedQuery known = queries.get(key);
        return known == null ? FIRST_TTL_MILLIS : estimator.queryMillis(known);
    }

    @Override
    public CompletionStage<Void> reportRead(String key, long expiryMillis) {
        return reports.report(key, expiryMillis);
    }

    @Override
    public CompletionStage<Void> read(
            String key, Content content, long beforeMillis, long ttlMillis) {
        boolean isQuery = store.query(key) != null;
        List<String> records =
                isQuery ? content.products().stream().map(Product::id).toList() : List.of();
        platform.reports()
                .read(
                        new CacheRead(
                                SERVICE,
                                table,
                                key,
                                isQuery ? CachedKind.QUERY : CachedKind.RECORD,
                                beforeMillis,
                                ttlMillis,
                                records));
        if (isQuery) {
            synchronized (this) {
                double perSecond = rates.perSecond(records, beforeMillis);
                queries.compute(key, (k, known) -> estimator.read(known, perSecond, beforeMillis));
            }
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> wrote(Product before, Product after) {
        long now = System.currentTimeMillis();
        CompletionStage<Void> logged =
                platform.reports()
                        .wrote(
                                new RecordWrite(
                                        SERVICE,
                                        table,
                                        after.id(),
                                        WriteKind.UPDATE,
                                        after.version(),
                                        now,
                                        after.json()));
        CompletableFuture<Void> known =
                CompletableFuture.runAsync(() -> changed(before, after, now), changes);
        return logged.thenCombine(known, (a, b) -> null);
    }

    private void changed(Product before, Product after, long now) {
        List<String> changed = new ArrayList<>(List.of(after.id()));
        synchronized (this) {
            rates.wrote(after.id(), now);
            for (ProductQuery query : allQueries) {
                if (query.matches(before) || query.matches(after)) {
                    changed.add(query.key());
                    queries.computeIfPresent(
                            query.key(), (k, known) -> estimator.invalidated(known, 0, now));
                }
            }
        }
        List<StaleKeys.Invalidation> meant = keys.invalidate(changed, System.currentTimeMillis());
        for (int i = 0; i < changed.size(); i++) {
            if (meant.get(i) != StaleKeys.Invalidation.NOT_CACHED) {
                invalidations.incrementAndGet();
                onInvalidation.accept(changed.get(i));
            }
        }
    }

    @Override
    public FilterPublisher filter() {
        return publisher;
    }

    @Override
    public long invalidations() {
        return invalidations.get();
    }

    @Override
    public void close() {
        changes.shutdownNow();
        reports.close();
        keys.close();
    }
}
