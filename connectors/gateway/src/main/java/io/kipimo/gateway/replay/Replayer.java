package io.kipimo.gateway.replay;

import io.kipimo.core.replay.ReplayLoad;
import io.kipimo.core.replay.ReplaySchedule;
import io.kipimo.gateway.config.RecordConfig;
import io.kipimo.gateway.limit.BufferBudget;
import io.kipimo.gateway.proxy.ReplayAnswer;
import io.kipimo.gateway.proxy.ReplayRequest;
import io.kipimo.gateway.proxy.Route;
import io.kipimo.gateway.record.FrontQuery;
import io.kipimo.gateway.record.QueryRecorder;
import io.kipimo.gateway.record.ReplayFailure;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

/**
 * Replays degraded queries one at a time, the oldest first, when {@link ReplaySchedule} decides so.
 * Replays of an engine may take a share of the time of its queries. Number and bytes of the kept
 * queries are bounded, from the online answer to the end of the replay. When a bound is reached,
 * new queries are not replayed.
 */
public final class Replayer implements Route.Replays {
    private final RecordConfig config;
    private final BufferBudget room;
    private final LongSupplier clock;
    private final LongAdder replayed = new LongAdder();
    private final Map<ReplayFailure, LongAdder> failed = new EnumMap<>(ReplayFailure.class);

    // Guarded by this.
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private final RecentLoad load = new RecentLoad();
    private final Map<Route, ExtraLoad> extra = new HashMap<>();
    private int kept;
    private boolean running;

    private record Waiting(Route route, ReplayRequest request) {}

    /**
     * @param clock epoch milliseconds
     */
    public Replayer(RecordConfig config, LongSupplier clock) {
        this.config = config;
        this.room = new BufferBudget(config.replayBytes());
        this.clock = clock;
        for (ReplayFailure why : ReplayFailure.values()) {
            failed.put(why, new LongAdder());
        }
    }

    @Override
    public synchronized boolean keep(Route route, ReplayRequest request) {
        if (!route.isReplayed()) {
            return false;
        }
        if (kept >= config.replayQueries()) {
            count(Optional.of(ReplayFailure.QUEUE_FULL));
            return false;
        }
        if (!room.take(request.bytes())) {
            count(Optional.of(ReplayFailure.NO_ROOM));
            return false;
        }
        kept++;
        return true;
    }

    @Override
    public synchronized void offer(Route route, ReplayRequest request) {
        waiting.add(new Waiting(route, request));
    }

    @Override
    public synchronized void answered(Route route, long micros) {
        load.executed(micros / 1_000.0);
        extra(route).ifPresent(budget -> budget.earn(micros));
    }

    /** The budget of an engine's replays; empty: they need none. */
    private Optional<ExtraLoad> extra(Route route) {
        return route.config()
                .replay()
                .map(replay -> extra.computeIfAbsent(route, r -> new ExtraLoad(replay.budget())));
    }

    private boolean isWithinBudget(Route route) {
        return extra(route).map(ExtraLoad::isLeft).orElse(true);
    }

    /**
     * Observes the load at the front, and starts a replay if one is due; called every few
     * milliseconds.
     *
     * @param send sends a query through its front end
     */
    public void tick(
            Collection<Route> fronts,
            QueryRecorder recorder,
            BiFunction<Route, ReplayRequest, Future<ReplayAnswer>> send) {
        Waiting first;
        synchronized (this) {
            long now = clock.getAsLong();
            int outstanding = fronts.stream().mapToInt(Route::underWay).sum();
            load.observe(outstanding, fronts.stream().mapToLong(Route::arrivals).sum(), now);
            while (!waiting.isEmpty() && expiresMillis(waiting.peek()) <= now) {
                Waiting expired = waiting.remove();
                done(
                        expired,
                        Optional.of(
                                isWithinBudget(expired.route())
                                        ? ReplayFailure.EXPIRED
                                        : ReplayFailure.BUDGET));
            }
            if (running || waiting.isEmpty() || fronts.stream().noneMatch(this::isWithinBudget)) {
                return;
            }
            Optional<Waiting> affordable =
                    waiting.stream().filter(one -> isWithinBudget(one.route())).findFirst();
            if (affordable.isEmpty()) {
                return;
            }
            ReplayLoad asked =
                    new ReplayLoad(
                            waiting.size(),
                            expiresMillis(waiting.peek()),
                            load.executionMillis(),
                            load.interarrivalMillis(),
                            outstanding,
                            load.lowerQuartile());
            if (!ReplaySchedule.decide(asked, now).replays()) {
                return;
            }
            first = affordable.get();
            waiting.remove(first);
            running = true;
        }
        run(first, recorder, send);
    }

    private void run(
            Waiting first,
            QueryRecorder recorder,
            BiFunction<Route, ReplayRequest, Future<ReplayAnswer>> send) {
        Optional<FrontQuery> replay = recorder.beginReplay(first.request().query());
        if (replay.isEmpty()) {
            ran(first, Optional.of(ReplayFailure.ID_IN_USE));
            return;
        }
        long startNanos = System.nanoTime();
        send.apply(first.route(), first.request())
                .onComplete(
                        came -> {
                            Optional<ReplayFailure> failure =
                                    came.succeeded()
                                            ? recorder.replayed(
                                                    replay.get(),
                                                    first.route().config(),
                                                    came.result().status(),
                                                    came.result().response())
                                            : Optional.of(
                                                    came.cause() instanceof IllegalArgumentException
                                                            ? ReplayFailure.BODY
                                                            : ReplayFailure.NO_ANSWER);
                            recorder.end(replay.get());
                            took(first.route(), (System.nanoTime() - startNanos) / 1_000);
                            ran(first, failure);
                        });
    }

    private synchronized void took(Route route, long micros) {
        load.replayed(micros / 1_000.0);
        extra(route).ifPresent(budget -> budget.spend(micros));
    }

    /** Time that replays of a front took, and time that its queries took, microseconds. */
    public synchronized Optional<ExtraLoad.Spent> spent(Route route) {
        return extra(route).map(ExtraLoad::spent);
    }

    private synchronized void ran(Waiting one, Optional<ReplayFailure> failure) {
        done(one, failure);
        running = false;
    }

    private synchronized void done(Waiting one, Optional<ReplayFailure> failure) {
        count(failure);
        kept--;
        room.giveBack(one.request().bytes());
    }

    private void count(Optional<ReplayFailure> failure) {
        failure.map(failed::get).orElse(replayed).increment();
    }

    private long expiresMillis(Waiting one) {
        return one.request().query().startedAtMillis() + config.expirationMillis();
    }

    /** Queries whose mature answer was emitted. */
    public long replayed() {
        return replayed.sum();
    }

    /** Queries whose replay brought no mature answer, by reason. */
    public long failed(ReplayFailure why) {
        return failed.get(why).sum();
    }

    /** Whether no replay waits or runs. */
    public synchronized boolean isIdle() {
        return waiting.isEmpty() && !running;
    }

    public synchronized int waiting() {
        return waiting.size();
    }

    /** Bytes of the queries that are kept. */
    public long bytes() {
        return room.used();
    }
}
