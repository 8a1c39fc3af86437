package io.kipimo.sdk.invalidation;

import io.kipimo.schemas.caching.CachedScope;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.ResultChange;
import io.kipimo.schemas.caching.ResultRepresentation;
import io.kipimo.schemas.caching.Subscription;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Keeps track of the queries of an origin that the invalidation job watches. A query is subscribed at its first read,
 * and again if it is to be cached in another form or if the job has lost it. After a refusal it is subscribed again
 * after the time that the job sets, plus a random delay of up to half that time, so that origins do not all return at
 * once. Thread-safe.
 */
public final class QuerySubscriptions {
    /** Greatest random delay after a refusal, as a share of the set time. */
    private static final double JITTER = 0.5;

    /** Beyond this number the least recently used queries are forgotten; they are subscribed again. */
    private static final int MOST_QUERIES = 100_000;

    /** Whether the job watches a query. */
    public enum Standing {
        /** A notification comes when the result becomes stale. */
        WATCHED,
        /** The job has no room for the query. Its result may be cached as if there were no invalidation. */
        REFUSED
    }

    private sealed interface SubscriptionEntry {}

    private record WatchedQuery(ResultRepresentation form, CompletableFuture<Standing> standing)
            implements SubscriptionEntry {}

    private record Refused(long untilMillis) implements SubscriptionEntry {}

    private final Function<Subscription, ? extends CompletionStage<Void>> publisher;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Map<String, SubscriptionEntry> entries = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, SubscriptionEntry> eldest) {
            return size() > MOST_QUERIES;
        }
    };

    QuerySubscriptions(
            Function<Subscription, ? extends CompletionStage<Void>> publisher,
            InstantSource clock,
            RandomGenerator random) {
        this.publisher = publisher;
        this.clock = clock;
        this.random = random;
    }

    /**
     * Starts without watched queries.
     *
     * @param publisher publishes subscriptions, such as {@code CachingReports::subscribe}
     */
    public static QuerySubscriptions to(Function<Subscription, ? extends CompletionStage<Void>> publisher) {
        return new QuerySubscriptions(publisher, InstantSource.system(), new SplittableRandom());
    }

    /**
     * Subscribes a query unless it is watched. Call it before its result is evaluated for a reader.
     *
     * @param scope service/table/key
     * @param form form in which the result is to be handed out
     * @param evaluation evaluates the query in that form for its subscription; called only if needed
     * @return fails if the subscription cannot be published: then the result must not be cached
     */
    public CompletionStage<Standing> watch(String scope, ResultRepresentation form, Supplier<Subscription> evaluation) {
        WatchedQuery mine = new WatchedQuery(form, new CompletableFuture<>());
        synchronized (entries) {
            SubscriptionEntry known = entries.get(scope);
            if (known instanceof Refused refused && clock.millis() < refused.untilMillis()) {
                return CompletableFuture.completedFuture(Standing.REFUSED);
            }
            if (known instanceof WatchedQuery watched && watched.form() == form) {
                return watched.standing();
            }
            entries.put(scope, mine);
        }
        CompletionStage<Void> subscribed;
        try {
            subscribed = publisher.apply(evaluation.get());
        } catch (RuntimeException e) {
            subscribed = CompletableFuture.failedFuture(e);
        }
        var unused = subscribed.whenComplete((done, failure) -> {
            if (failure == null) {
                mine.standing().complete(Standing.WATCHED);
            } else {
                synchronized (entries) {
                    entries.remove(scope, mine);
                }
                mine.standing().completeExceptionally(failure);
            }
        });
        return mine.standing();
    }

    /**
     * Applies a notification from {@link InvalidationReader}.
     *
     * @return whether results that were handed out until now are no longer watched. Mark them as stale once the query
     *     is watched again or refused.
     */
    public boolean notified(Invalidation invalidation) {
        boolean isRefused = invalidation.change() == ResultChange.REFUSED;
        if (!isRefused && invalidation.change() != ResultChange.UNKNOWN) {
            return false;
        }
        String scope = CachedScope.of(invalidation.service(), invalidation.table(), invalidation.key());
        synchronized (entries) {
            if (isRefused) {
                double wait = invalidation.retryAfterMillis() * (1 + JITTER * random.nextDouble());
                entries.put(scope, new Refused(clock.millis() + (long) wait));
            } else {
                entries.remove(scope);
            }
        }
        return true;
    }
}
