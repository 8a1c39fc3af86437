package io.kipimo.gateway.limit;

import com.netflix.concurrency.limits.Limiter;
import com.netflix.concurrency.limits.limit.Gradient2Limit;
import com.netflix.concurrency.limits.limiter.AbstractPartitionedLimiter;
import io.kipimo.gateway.config.LimitConfig;
import java.util.List;
import java.util.Optional;

/**
 * How many requests may be under way, learned from their latency by Netflix's Gradient2: it falls
 * when requests take longer than they did, whoever is the cause, and answers at once. Beyond the
 * limit each class keeps a share of it, the first one the most: {@code 2^-1, 2^-2, ...} of it, and
 * the last two alike.
 *
 * <p>For any number of threads.
 */
public final class LocalLimit {
    /** A request that is under way; ended once. */
    public interface Ticket {
        /** It was answered. */
        void answered();

        /** It took too long, or its server did not answer: the limit falls. */
        void dropped();

        /** It tells nothing of the servers. */
        void ignored();
    }

    private static final Ticket UNLIMITED =
            new Ticket() {
                @Override
                public void answered() {}

                @Override
                public void dropped() {}

                @Override
                public void ignored() {}
            };

    private final Limiter<String> limiter;
    private final Gradient2Limit limit;

    /**
     * @param classes the most important one first
     */
    public LocalLimit(String name, LimitConfig config, List<String> classes) {
        limit =
                Gradient2Limit.newBuilder()
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

    /** The library's builder is made to be extended. */
    private static final class Builder extends AbstractPartitionedLimiter.Builder<Builder, String> {
        @Override
        protected Builder self() {
            return this;
        }
    }

    /** Empty: too many are under way. */
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

    /** Requests that may be under way; 0: any number. */
    public int limit() {
        return limiter == null ? 0 : limit.getLimit();
    }
}
