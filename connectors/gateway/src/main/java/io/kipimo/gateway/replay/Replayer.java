package io.kipimo.gateway.replay;

import io.kipimo.core.sampling.ReplayLoad;
import io.kipimo.core.sampling.ReplaySchedule;
import io.kipimo.gateway.config.RecordConfig;
import io.kipimo.gateway.config.ReplayConfig;
import io.kipimo.gateway.proxy.ReplayAnswer;
import io.kipimo.gateway.proxy.ReplayRequest;
import io.kipimo.gateway.proxy.ReplayTimeoutException;
import io.kipimo.gateway.proxy.Route;
import io.kipimo.gateway.record.FrontQuery;
import io.kipimo.gateway.record.QueryRecorder;
import io.kipimo.gateway.record.ReplayFailure;
import io.kipimo.http.BufferBudget;
import io.kipimo.sdk.internal.exposition.EventCounts;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

/**
 * Replays degraded queries, the oldest of a front first, when {@link ReplaySchedule} decides so. It runs one replay at
 * a time; with an engine, as many as are configured. Replays of an engine may take a share of the time of its queries.
 * Number and bytes of the kept queries are bounded, from the online answer to the end of the replay. When a bound is
 * reached, new queries are not replayed.
 */
public final class Replayer implements Route.Replays {
    private final RecordConfig config;
    private final BufferBudget room;
    private final LongSupplier clock;
    private final LongAdder replayed = new LongAdder();
    private final EventCounts failed = new EventCounts(ReplayFailure.values());

    // Guarded by this.
    private final Map<Route, FrontReplays> fronts = new HashMap<>();
    private final RecentLoad load = new RecentLoad();
    private int kept;

    /** A replay that begins. */
    private record BegunReplay(Route route, ReplayRequest request, long beganNanos) {}

    /** The replays of a front. */
    private static final class FrontReplays {
        final Deque<ReplayRequest> waiting = new ArrayDeque<>();
        final int concurrency;

        /** Budget of time; empty: the replays need none. */
        final Optional<ExtraLoad> extra;

        int running;

        FrontReplays(Route route) {
            Optional<ReplayConfig> replay = route.config().replay();
            // Replays from the memo cache are asked of the components that live requests need.
            concurrency = replay.map(ReplayConfig::concurrency).orElse(1);
            extra = replay.map(r -> new ExtraLoad(r.budget()));
        }

        boolean isWithinBudget() {
            return extra.map(budget -> budget.isLeft(System.nanoTime())).orElse(true);
        }
    }

    /** @param clock epoch milliseconds */
    public Replayer(RecordConfig config, LongSupplier clock) {
        this.config = config;
        this.room = new BufferBudget(config.replayBytes());
        this.clock = clock;
    }

    private FrontReplays front(Route route) {
        return fronts.computeIfAbsent(route, FrontReplays::new);
    }

    @Override
    public synchronized boolean keep(Route route, ReplayRequest request) {
        if (!route.isReplayed()) {
            return false;
        }
        if (kept >= config.replayQueries()) {
            failed.count(ReplayFailure.QUEUE_FULL);
            return false;
        }
        if (!room.take(request.bytes())) {
            failed.count(ReplayFailure.NO_ROOM);
            return false;
        }
        kept++;
        return true;
    }

    @Override
    public synchronized void offer(Route route, ReplayRequest request) {
        front(route).waiting.add(request);
    }

    @Override
    public synchronized void answered(Route route, long micros) {
        load.executed(micros / 1_000.0);
        front(route).extra.ifPresent(budget -> budget.earn(micros));
    }

    /**
     * Observes the load at the fronts, and starts a replay of each front where one is due; called every few
     * milliseconds.
     *
     * @param send sends a query through its front end
     */
    public void tick(
            Collection<Route> routes,
            QueryRecorder recorder,
            BiFunction<Route, ReplayRequest, Future<ReplayAnswer>> send) {
        List<BegunReplay> due = new ArrayList<>();
        synchronized (this) {
            long now = clock.getAsLong();
            int outstanding = routes.stream().mapToInt(Route::underWay).sum();
            load.observe(outstanding, routes.stream().mapToLong(Route::arrivals).sum(), now);
            for (Route route : routes) {
                FrontReplays front = front(route);
                expire(front, now);
                if (isDue(front, outstanding, now)) {
                    BegunReplay first = new BegunReplay(route, front.waiting.remove(), System.nanoTime());
                    front.running++;
                    front.extra.ifPresent(budget -> budget.begin(first.beganNanos()));
                    due.add(first);
                }
            }
        }
        due.forEach(first -> run(first, recorder, send));
    }

    private void expire(FrontReplays front, long now) {
        while (!front.waiting.isEmpty() && expiresMillis(front.waiting.peek()) <= now) {
            done(
                    front.waiting.remove(),
                    Optional.of(front.isWithinBudget() ? ReplayFailure.EXPIRED : ReplayFailure.BUDGET));
        }
    }

    private boolean isDue(FrontReplays front, int outstanding, long now) {
        if (front.waiting.isEmpty() || front.running >= front.concurrency || !front.isWithinBudget()) {
            return false;
        }
        ReplayLoad asked = new ReplayLoad(
                // As many at a time clear the queue so much earlier.
                (front.waiting.size() + front.concurrency - 1) / front.concurrency,
                expiresMillis(front.waiting.peek()),
                load.executionMillis(),
                load.interarrivalMillis(),
                outstanding,
                load.lowerQuartile());
        return ReplaySchedule.decide(asked, now).replays();
    }

    private void run(
            BegunReplay first, QueryRecorder recorder, BiFunction<Route, ReplayRequest, Future<ReplayAnswer>> send) {
        Optional<FrontQuery> replay = recorder.beginReplay(first.request().query());
        if (replay.isEmpty()) {
            ran(first, Optional.of(ReplayFailure.ID_IN_USE));
            return;
        }
        send.apply(first.route(), first.request()).onComplete(came -> {
            Optional<ReplayFailure> failure = came.succeeded()
                    ? recorder.replayed(
                            replay.get(),
                            first.route().config(),
                            came.result().demand(),
                            came.result().status(),
                            came.result().response())
                    : Optional.of(why(came.cause()));
            recorder.end(replay.get());
            took((System.nanoTime() - first.beganNanos()) / 1e6);
            ran(first, failure);
        });
    }

    private static ReplayFailure why(Throwable cause) {
        if (cause instanceof IllegalArgumentException) {
            return ReplayFailure.BODY;
        }
        return cause instanceof ReplayTimeoutException ? ReplayFailure.TIMED_OUT : ReplayFailure.NO_ANSWER;
    }

    private synchronized void took(double millis) {
        load.replayed(millis);
    }

    /**
     * Time that replays of a front took, and time that its queries took, microseconds; empty: its replays need no
     * budget.
     */
    public synchronized Optional<ExtraLoad.SpentTime> spent(Route route) {
        return front(route).extra.map(ExtraLoad::spent);
    }

    private synchronized void ran(BegunReplay one, Optional<ReplayFailure> failure) {
        FrontReplays front = front(one.route());
        front.running--;
        front.extra.ifPresent(budget -> budget.end(one.beganNanos(), System.nanoTime()));
        done(one.request(), failure);
    }

    private synchronized void done(ReplayRequest one, Optional<ReplayFailure> failure) {
        kept--;
        room.giveBack(one.bytes());
        // Last, so that who sees the count sees the rest.
        failure.ifPresentOrElse(failed::count, replayed::increment);
    }

    private long expiresMillis(ReplayRequest one) {
        return one.query().startedAtMillis() + config.expirationMillis();
    }

    /** Queries whose mature answer was emitted. */
    public long replayed() {
        return replayed.sum();
    }

    /** Queries whose replay brought no mature answer, by reason. */
    public long failed(ReplayFailure why) {
        return failed.of(why);
    }

    /** Whether no replay waits or runs. */
    public synchronized boolean isIdle() {
        return waiting() == 0 && running() == 0;
    }

    public synchronized int waiting() {
        return fronts.values().stream().mapToInt(front -> front.waiting.size()).sum();
    }

    public synchronized int running() {
        return fronts.values().stream().mapToInt(front -> front.running).sum();
    }

    /** Bytes of the queries that are kept. */
    public long bytes() {
        return room.used();
    }
}
