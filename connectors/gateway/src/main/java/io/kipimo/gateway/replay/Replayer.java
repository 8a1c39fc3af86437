package io.kipimo.gateway.replay;

import io.kipimo.core.replay.ReplayLoad;
import io.kipimo.core.replay.ReplaySchedule;
import io.kipimo.gateway.proxy.ReplayRequest;
import io.kipimo.gateway.proxy.Route;
import io.kipimo.gateway.record.FrontQuery;
import io.kipimo.gateway.record.RecordedResponse;
import io.kipimo.gateway.record.Recorder;
import io.kipimo.gateway.record.ReplayFailure;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

/**
 * Runs degraded queries once more, when {@link ReplaySchedule} says so: one at a time, the oldest
 * first, and so that the number that waits is bounded.
 */
public final class Replayer implements Route.Replays {
    private static final int MOST_WAITING = 10_000;

    private final boolean enabled;
    private final long expirationMillis;
    private final LongSupplier clock;
    private final LongAdder replayed = new LongAdder();
    private final Map<ReplayFailure, LongAdder> failed = new EnumMap<>(ReplayFailure.class);

    // Guarded by this.
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private final RecentLoad load = new RecentLoad();
    private boolean running;

    private record Waiting(Route route, ReplayRequest request) {}

    /**
     * @param expirationMillis from a query's start, after which its replay is of no use
     * @param clock epoch milliseconds
     */
    public Replayer(boolean enabled, long expirationMillis, LongSupplier clock) {
        this.enabled = enabled;
        this.expirationMillis = expirationMillis;
        this.clock = clock;
        for (ReplayFailure why : ReplayFailure.values()) {
            failed.put(why, new LongAdder());
        }
    }

    @Override
    public synchronized void offer(Route route, ReplayRequest request) {
        if (!enabled) {
            return;
        }
        if (waiting.size() >= MOST_WAITING) {
            count(Optional.of(ReplayFailure.QUEUE_FULL));
            return;
        }
        waiting.add(new Waiting(route, request));
    }

    @Override
    public synchronized void answered(long micros) {
        load.executed(micros / 1_000.0);
    }

    /**
     * Looks at the queries at the front, and starts a replay if it is time; called every few
     * milliseconds.
     *
     * @param send sends a query through its front end
     */
    public void tick(
            Collection<Route> fronts,
            Recorder recorder,
            BiFunction<Route, ReplayRequest, Future<RecordedResponse>> send) {
        if (!enabled) {
            return;
        }
        Waiting first;
        synchronized (this) {
            long now = clock.getAsLong();
            int outstanding = fronts.stream().mapToInt(Route::underWay).sum();
            load.look(outstanding, fronts.stream().mapToLong(Route::arrivals).sum(), now);
            while (!waiting.isEmpty() && expiresMillis(waiting.peek()) <= now) {
                waiting.remove();
                count(Optional.of(ReplayFailure.EXPIRED));
            }
            if (running || waiting.isEmpty()) {
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
            first = waiting.remove();
            running = true;
        }
        run(first, recorder, send);
    }

    private void run(
            Waiting first,
            Recorder recorder,
            BiFunction<Route, ReplayRequest, Future<RecordedResponse>> send) {
        Optional<FrontQuery> replay = recorder.beginReplay(first.request().query());
        if (replay.isEmpty()) {
            done(Optional.of(ReplayFailure.ID_IN_USE));
            return;
        }
        send.apply(first.route(), first.request())
                .onComplete(
                        came -> {
                            Optional<ReplayFailure> failure =
                                    came.succeeded()
                                            ? recorder.replayed(
                                                    replay.get(),
                                                    first.route().config(),
                                                    came.result())
                                            : Optional.of(ReplayFailure.NO_ANSWER);
                            recorder.end(replay.get());
                            done(failure);
                        });
    }

    private synchronized void done(Optional<ReplayFailure> failure) {
        count(failure);
        running = false;
    }

    private void count(Optional<ReplayFailure> failure) {
        failure.map(failed::get).orElse(replayed).increment();
    }

    private long expiresMillis(Waiting one) {
        return one.request().query().startedAtMillis() + expirationMillis;
    }

    /** Queries whose mature answer was told. */
    public long replayed() {
        return replayed.sum();
    }

    /** Queries that were to be run once more, and have no mature answer. */
    public long failed(ReplayFailure why) {
        return failed.get(why).sum();
    }

    /** Whether none waits, and none is being run. */
    public synchronized boolean isIdle() {
        return waiting.isEmpty() && !running;
    }

    public synchronized int waiting() {
        return waiting.size();
    }
}
