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
    /** The place of a request in progress; given back once. */
    public interface Ticket {
        /** The request was answered. */
        void answered();

        /** The request took too long, or its server did not answer; the limit falls. */
        void dropped();

        /** The request's latency is no evidence about the servers. */
        void ignored();
    }

    private static final Ticket UNLIMITED = new Ticket() {
        @Override
        public void answered() {}

        @Override
        public void dropped() {}

        @Override
        public void ignored() {}
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
        Builder builder = new Builder().named(name).limit(limit).partitionResolver(c -> c);
        double share = 1;
        for (int i = 0; i < classes.size(); i++) {
            share = i == classes.size() - 1 ? share : share / 2;
            builder.partition(classes.get(i), share);
        }
        limiter = config.enabled() ? builder.build() : null;
    }

    /** The library requires a subclass of its builder. */
    private static final class Builder extends AbstractPartitionedLimiter.Builder<Builder, String> {
        @Override
        protected Builder self() {
            return this;
        }
    }

    /** Takes a place; empty: too many requests are in progress. */
    public Optional<Ticket> enter(String queryClass) {
        return limiter == null
                ? Optional.of(UNLIMITED)
                : limiter.acquire(queryClass).map(LocalLimit::ticket);
    }

    private static Ticket ticket(Limiter.Listener listener) {
        return new Ticket() {
            @Override
            public void answered() {
                listener.onSuccess();
            }

            @Override
            public void dropped() {
                listener.onDropped();
            }

            @Override
            public void ignored() {
                listener.onIgnore();
            }
        };
    }

    /** Limit of requests in progress; 0: no limit. */
    public int limit() {
        return limiter == null ? 0 : limit.getLimit();
    }
}
