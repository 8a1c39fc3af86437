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
 * Which of an origin's queries the invalidation job watches. A query is subscribed at its first
 * read, again when it is to be cached in another form or the job has lost track of it, and not
 * before a refusal is over: the job says after what time to ask again, and origins spread over half
 * as long after that, lest they all come at once. For many threads.
 */
public final class QuerySubscriptions {
    /** Spread of the time until a refused query is subscribed again. */
    private static final double JITTER = 0.5;

    /** What is known of more queries than these is forgotten; they are subscribed again. */
    private static final int MOST_QUERIES = 100_000;

    /** How a query's result may be cached. */
    public enum Standing {
        /** It is told when the result becomes stale. */
        WATCHED,
        /** There is no room for the query: its result may be cached as without invalidation. */
        REFUSED
    }

    private sealed interface Entry {}

    private record Watched(ResultRepresentation form, CompletableFuture<Standing> standing)
            implements Entry {}

    private record Refused(long untilMillis) implements Entry {}

    private final Function<Subscription, ? extends CompletionStage<Void>> log;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Map<String, Entry> entries =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Entry> eldest) {
                    return size() > MOST_QUERIES;
                }
            };

    QuerySubscriptions(
            Function<Subscription, ? extends CompletionStage<Void>> log,
            InstantSource clock,
            RandomGenerator random) {
        this.log = log;
        this.clock = clock;
        this.random = random;
    }

    /**
     * None is watched yet.
     *
     * @param log takes subscriptions, as {@code CachingReports::subscribe}
     */
    public static QuerySubscriptions to(
            Function<Subscription, ? extends CompletionStage<Void>> log) {
        return new QuerySubscriptions(log, InstantSource.system(), new SplittableRandom());
    }

    /**
     * Has a query watched, before its result is evaluated for a reader.
     *
     * @param scope service/table/key
     * @param form in which the result is to be handed out
     * @param evaluation of the query for its subscription, in that form; made only if it is needed
     * @return fails if the log does not take the subscription: then the result must not be cached
     */
    public CompletionStage<Standing> watch(
            String scope, ResultRepresentation form, Supplier<Subscription> evaluation) {
        Watched mine = new Watched(form, new CompletableFuture<>());
        synchronized (entries) {
            Entry known = entries.get(scope);
            if (known instanceof Refused refused && clock.millis() < refused.untilMillis()) {
                return CompletableFuture.completedFuture(Standing.REFUSED);
            }
            if (known instanceof Watched watched && watched.form() == form) {
                return watched.standing();
            }
            entries.put(scope, mine);
        }
        CompletionStage<Void> subscribed;
        try {
            subscribed = log.apply(evaluation.get());
        } catch (RuntimeException e) {
            subscribed = CompletableFuture.failedFuture(e);
        }
        var unused =
                subscribed.whenComplete(
                        (done, failure) -> {
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
     * What was told of a query, by {@link InvalidationReader}.
     *
     * @return whether nobody tells any more when results become stale that were handed out until
     *     now: they are to be marked as stale, once the query is watched anew or refused
     */
    public boolean notified(Invalidation invalidation) {
        boolean isRefused = invalidation.change() == ResultChange.REFUSED;
        if (!isRefused && invalidation.change() != ResultChange.UNKNOWN) {
            return false;
        }
        String scope =
                CachedScope.of(invalidation.service(), invalidation.table(), invalidation.key());
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
