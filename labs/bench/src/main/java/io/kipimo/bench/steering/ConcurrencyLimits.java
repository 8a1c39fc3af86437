package io.kipimo.bench.steering;

import com.netflix.concurrency.limits.Limiter;
import com.netflix.concurrency.limits.limit.Gradient2Limit;
import com.netflix.concurrency.limits.limit.WindowedLimit;
import com.netflix.concurrency.limits.limiter.AbstractPartitionedLimiter;
import io.kipimo.examples.search.SearchService;
import io.kipimo.examples.search.frontend.OfferedQuery;
import io.kipimo.examples.search.frontend.Telemetry;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A peer: Netflix's concurrency limits at the front end, set up as the library's guide does it for live and batch
 * traffic. It uses Gradient2 over windows, and guarantees nine tenths of the limit to the high class. The library takes
 * an answer that lacks a component as a dropped request. The high class counts towards the limit, but is never refused.
 */
final class ConcurrencyLimits implements Telemetry {
    private final Limiter<String> limiter;
    private final Map<String, Limiter.Listener> open = new ConcurrentHashMap<>();

    ConcurrencyLimits(int least) {
        limiter = new ConcurrencyLimitBuilder()
                .partitionResolver(queryClass -> queryClass)
                .partition(SearchService.HIGH, 0.9)
                .partition(SearchService.LOW, 0.1)
                .limit(WindowedLimit.newBuilder()
                        .build(Gradient2Limit.newBuilder().minLimit(least).build()))
                .build();
    }

    /** The builder of the limiter. The library requires that its users subclass it. */
    private static final class ConcurrencyLimitBuilder
            extends AbstractPartitionedLimiter.Builder<ConcurrencyLimitBuilder, String> {
        @Override
        protected ConcurrencyLimitBuilder self() {
            return this;
        }
    }

    @Override
    public void offered(OfferedQuery query) {
        if (query.queryClass().equals(SearchService.HIGH)) {
            enter(query);
        }
    }

    @Override
    public boolean admits(OfferedQuery query) {
        return enter(query);
    }

    private boolean enter(OfferedQuery query) {
        Optional<Limiter.Listener> entered = limiter.acquire(query.queryClass());
        entered.ifPresent(listener -> open.put(query.id(), listener));
        return entered.isPresent();
    }

    @Override
    public void answered(OfferedQuery query, List<Invocation> invocations, Optional<Double> notAskedLoss) {
        Limiter.Listener listener = open.remove(query.id());
        if (listener == null) {
            return;
        }
        if (invocations.stream().allMatch(i -> i.outcome() == Outcome.IN_TIME)) {
            listener.onSuccess();
        } else {
            listener.onDropped();
        }
    }
}
