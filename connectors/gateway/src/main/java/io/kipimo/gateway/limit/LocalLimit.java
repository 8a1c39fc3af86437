package io.kipimo.gateway.limit;

import com.netflix.concurrency.limits.Limiter;
import com.netflix.concurrency.limits.limit.Gradient2Limit;
import com.netflix.concurrency.limits.limiter.AbstractPartitionedLimiter;
import io.kipimo.gateway.config.ListenerConfig;
import java.util.List;
import java.util.Optional;

/**
 * Limits the requests under way. Netflix's Gradient2 learns the limit from their latency: the limit falls when requests
 * take longer than before, whatever the cause. At the limit each class keeps a share of it: {@code 2^-1, 2^-2, ...} in
 * order of importance, with equal shares for the last two.
 *
 * <p>Thread-safe.
 */
public final class LocalLimit {
    private static final Limiter.Listener UNLIMITED = new Limiter.Listener() {
        @Override
        public void onSuccess() {}

        @Override
        public void onDropped() {}

        @Override
        public void onIgnore() {}
    };

    private final Limiter<String> limiter;
    private final Gradient2Limit limit;

    /** @param classes the most important one first */
    public LocalLimit(String name, ListenerConfig.ConcurrencyLimit config, List<String> classes) {
        limit = Gradient2Limit.newBuilder()
                .initialLimit(config.initial())
                .minLimit(config.least())
                .maxConcurrency(config.most())
                .build();
        LocalLimitBuilder builder =
                new LocalLimitBuilder().named(name).limit(limit).partitionResolver(c -> c);
        double share = 1;
        for (int i = 0; i < classes.size(); i++) {
            share = i == classes.size() - 1 ? share : share / 2;
            builder.partition(classes.get(i), share);
        }
        limiter = config.enabled() ? builder.build() : null;
    }

    /** The library requires a subclass of its builder. */
    private static final class LocalLimitBuilder extends AbstractPartitionedLimiter.Builder<LocalLimitBuilder, String> {
        @Override
        protected LocalLimitBuilder self() {
            return this;
        }
    }

    /**
     * Takes a place under the limit. It must be given back once, in one of three ways. Success: the request was
     * answered. Dropped: it took too long or its server did not answer, so the limit falls. Ignored: its latency is no
     * evidence about the servers.
     *
     * @return empty: too many requests are in progress
     */
    public Optional<Limiter.Listener> enter(String queryClass) {
        return limiter == null ? Optional.of(UNLIMITED) : limiter.acquire(queryClass);
    }

    /** Limit of requests in progress; 0: no limit. */
    public int limit() {
        return limiter == null ? 0 : limit.getLimit();
    }
}
