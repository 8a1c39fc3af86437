package io.kipimo.harness.caching;

import io.kipimo.caching.filter.FilterPublisher;
import io.kipimo.core.stale.ExpiringFilter;
import io.kipimo.core.stale.FilterShape;
import io.kipimo.core.stale.FlatFilter;
import io.kipimo.core.stale.StaleKeys;
import io.kipimo.core.ttl.CachedQuery;
import io.kipimo.core.ttl.TtlEstimator;
import io.kipimo.core.ttl.TtlSettings;
import io.kipimo.core.ttl.WriteRates;
import io.kipimo.harness.caching.ProductStore.Content;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** The thoughts without the jobs: estimates, filter and matching in this process, at once. */
final class CorePipeline implements CachingPipeline {
    private static final long RATE_WINDOW_MILLIS = 10_000;

    private final ProductStore store;
    private final CachingDemoSettings settings;
    private final Consumer<String> onInvalidation;
    private final TtlEstimator estimator;
    private final WriteRates rates;
    private final Map<String, CachedQuery> queries = new HashMap<>();
    private final ExpiringFilter filter;
    private final FilterPublisher publisher;
    private long invalidations;

    /**
     * @param onInvalidation takes keys that some cache may hold and that are stale now
     */
    CorePipeline(
            CachingDemoSettings settings, ProductStore store, Consumer<String> onInvalidation) {
        this.settings = settings;
        this.store = store;
        this.onInvalidation = onInvalidation;
        long longest = settings.longestTtlMillis();
        estimator =
                new TtlEstimator(
                        new TtlSettings(
                                0.5, 0.7, 1000, longest, 2 * longest, OptionalDouble.empty()));
        rates = new WriteRates(RATE_WINDOW_MILLIS, 1, System.currentTimeMillis());
        filter =
                new ExpiringFilter(
                        FilterShape.ONE_ROUND_TRIP,
                        longest + CachingDemoSettings.EXPIRY_MARGIN_MILLIS);
        publisher =
                new FilterPublisher(
                        FilterShape.ONE_ROUND_TRIP,
                        List.of(new Locked()),
                        50,
                        System::currentTimeMillis);
    }

    /** The filter, for the publisher's threads. */
    private final class Locked implements StaleKeys {
        @Override
        public void reportRead(String key, long expiryMillis, long nowMillis) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Invalidation invalidate(String key, long nowMillis) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isStale(String key, long nowMillis) {
            synchronized (CorePipeline.this) {
                return filter.isStale(key, nowMillis);
            }
        }

        @Override
        public FlatFilter flat(long nowMillis) {
            synchronized (CorePipeline.this) {
                return filter.flat(nowMillis);
            }
        }

        @Override
        public long staleKeys(long nowMillis) {
            synchronized (CorePipeline.this) {
                return filter.staleKeys(nowMillis);
            }
        }

        @Override
        public long trackedKeys(long nowMillis) {
            synchronized (CorePipeline.this) {
                return filter.trackedKeys(nowMillis);
            }
        }
    }

    @Override
    public synchronized long ttlMillis(String key, boolean isQuery) {
        long now = System.currentTimeMillis();
        if (!isQuery) {
            return estimator.recordMillis(rates.perSecond(key, now));
        }
        CachedQuery known = queries.get(key);
        return known == null ? 1000 : estimator.queryMillis(known);
    }

    @Override
    public synchronized CompletionStage<Void> reportRead(String key, long expiryMillis) {
        long now = System.currentTimeMillis();
        filter.reportRead(key, expiryMillis, now);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public synchronized CompletionStage<Void> read(
            String key, Content content, long beforeMillis, long ttlMillis) {
        if (store.query(key) != null) {
            double perSecond =
                    content.products().stream()
                            .mapToDouble(p -> rates.perSecond(p.id(), beforeMillis))
                            .sum();
            queries.compute(key, (k, known) -> estimator.read(known, perSecond, beforeMillis));
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> wrote(Product before, Product after) {
        List<String> changed =
                ProductQuery.all(settings.categories()).stream()
                        .filter(q -> q.matches(before) || q.matches(after))
                        .map(ProductQuery::key)
                        .toList();
        long now = System.currentTimeMillis();
        synchronized (this) {
            rates.wrote(after.id(), now);
            changed.forEach(
                    key ->
                            queries.computeIfPresent(
                                    key, (k, known) -> estimator.invalidated(known, 0, now)));
        }
        changed.forEach(key -> invalidate(key, now));
        invalidate(after.id(), now);
        return CompletableFuture.completedFuture(null);
    }

    private void invalidate(String key, long now) {
        synchronized (this) {
            if (filter.invalidate(key, now) == StaleKeys.Invalidation.NOT_CACHED) {
                return;
            }
            invalidations++;
        }
        onInvalidation.accept(key);
    }

    @Override
    public FilterPublisher filter() {
        return publisher;
    }

    @Override
    public synchronized long invalidations() {
        return invalidations;
    }

    @Override
    public void close() {}
}
