package io.kipimo.gateway.arbitration;

import io.kipimo.core.arbitration.Action;
import io.kipimo.core.arbitration.Arbiter;
import io.kipimo.core.arbitration.AttemptEnd;
import io.kipimo.core.arbitration.HealthyServers;
import io.kipimo.core.arbitration.RoundRobin;
import io.kipimo.core.arbitration.ServerChoice;
import io.kipimo.core.arbitration.TokenPool;
import io.kipimo.gateway.config.CopyPolicy;
import io.kipimo.gateway.config.ListenerConfig;
import io.kipimo.sdk.ServerReporter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * One arbiter for all event loops. It decides under a lock, which takes about a microsecond, and performs the actions
 * after releasing it. It also reports the load of the servers, as it sees every copy.
 */
public final class SharedArbiter {
    /** Quantile of the response times after which hedges are sent. */
    private static final double HEDGE_QUANTILE = 0.95;

    private final Arbiter arbiter;
    private final HealthyServers health;
    private final List<ServerReporter> servers;
    private final LongSupplier nanoTime;
    private final Map<Long, OpenRequest> open = new HashMap<>();

    /** Number of copies that won, by server index. The first copy of a request does not count. */
    private final long[] won;

    private final long[] lost;
    private long next;

    private static final class OpenRequest {
        final Copies copies;
        final Map<Integer, Long> arrivals = new HashMap<>(2);
        boolean answered;

        OpenRequest(Copies copies) {
            this.copies = copies;
        }
    }

    /**
     * @param servers reporters of the servers' load, in the order of the servers' indexes
     * @param nanoTime a clock that never goes back
     */
    public SharedArbiter(ListenerConfig.Dispatch config, List<ServerReporter> servers, LongSupplier nanoTime) {
        this.servers = List.copyOf(servers);
        this.nanoTime = nanoTime;
        won = new long[servers.size()];
        lost = new long[servers.size()];
        health = new HealthyServers(choice(config, servers.size()), HealthyServers.Ejection.DEFAULT);
        arbiter = new Arbiter(
                health,
                new Arbiter.Hedging(
                        config.hedgeMillis() > 0,
                        HEDGE_QUANTILE,
                        TimeUnit.MILLISECONDS.toMicros(config.hedgeMillis()),
                        config.hedgeShare(),
                        config.cancelLosers()));
    }

    private static ServerChoice choice(ListenerConfig.Dispatch config, int servers) {
        if (config.policy() == CopyPolicy.ROUND_ROBIN) {
            return new RoundRobin(servers);
        }
        TokenPool.Tokens d = TokenPool.Tokens.DEFAULT;
        return new TokenPool(
                servers,
                new TokenPool.Tokens(
                        config.tokens(),
                        d.lookAhead(),
                        d.memory(),
                        d.forgetMicros(),
                        Math.max(1, config.tokens() / 4)));
    }

    public int servers() {
        return servers.size();
    }

    /**
     * Dispatches a request.
     *
     * @param factor copies wanted, at least 1
     * @return its id, for {@link #ended} and {@link #abandoned}
     */
    public long request(Copies copies, int factor) {
        long id;
        List<Action> actions;
        synchronized (this) {
            id = next++;
            open.put(id, new OpenRequest(copies));
            actions = arbiter.onRequest(id, factor, nowMicros());
            note(actions);
        }
        perform(id, copies, actions);
        return id;
    }

    /** Reports that a copy has ended. */
    public void ended(long id, int index, AttemptEnd end) {
        List<Action> actions;
        Map<Long, Copies> whose = new HashMap<>(4);
        synchronized (this) {
            actions = arbiter.onEnd(id, index, end, nowMicros());
            actions.forEach(a -> whose.computeIfAbsent(a.requestId(), this::copies));
            note(actions);
        }
        actions.forEach(action -> perform(whose.get(action.requestId()), action));
    }

    /** Reports that the caller no longer waits for the answer. */
    public void abandoned(long id) {
        List<Action> actions;
        Copies copies;
        synchronized (this) {
            OpenRequest request = open.get(id);
            if (request == null) {
                return;
            }
            copies = request.copies;
            actions = arbiter.onAbandoned(id, nowMicros());
            request.answered = true;
            note(actions);
            removeIfDone(id);
        }
        perform(id, copies, actions);
    }

    /** Sends the hedges that are due; called when {@link #hedgeMillis} of a request are over. */
    public void timer() {
        List<Action> actions;
        Map<Long, Copies> whose = new HashMap<>(4);
        synchronized (this) {
            actions = arbiter.onTimer(nowMicros());
            actions.forEach(a -> whose.computeIfAbsent(a.requestId(), this::copies));
            note(actions);
        }
        actions.forEach(action -> perform(whose.get(action.requestId()), action));
    }

    /** Time until the request's hedges are due, milliseconds, rounded up; empty: no hedge waits. */
    public synchronized OptionalLong hedgeMillis(long id) {
        return arbiter.hedgeMillis(id, nowMicros());
    }

    public synchronized boolean isEjected(int server) {
        return health.isEjected(server, nowMicros());
    }

    /** Copies that wait for a free server. */
    public synchronized int waitingCopies() {
        return arbiter.waitingCopies();
    }

    /** Number of copies that were due, but not sent, because copies may only be a share of the requests. */
    public synchronized long withheldCopies() {
        return arbiter.withheldCopies();
    }

    /**
     * Number of copies that have ended at a server. The first copy of a request does not count.
     *
     * @param isWinner true: copies whose response answered the request; false: all others
     */
    public synchronized long copies(int server, boolean isWinner) {
        return isWinner ? won[server] : lost[server];
    }

    private Copies copies(long id) {
        return open.get(id).copies;
    }

    /** Updates the health and load of servers; the caller holds the lock. */
    private void note(List<Action> actions) {
        for (Action action : actions) {
            OpenRequest request = open.get(action.requestId());
            if (action instanceof Action.Send send) {
                request.arrivals.put(send.index(), servers.get(send.server()).arrived());
            } else if (action instanceof Action.Respond) {
                request.answered = true;
            } else if (action instanceof Action.Attempted ended) {
                note(request, ended);
            }
        }
        actions.forEach(action -> removeIfDone(action.requestId()));
    }

    private void note(OpenRequest request, Action.Attempted ended) {
        ServerReporter server = servers.get(ended.server());
        long arrival = request.arrivals.remove(ended.index());
        if (ended.index() > 0) {
            (ended.winner() ? won : lost)[ended.server()]++;
        }
        switch (ended.end()) {
            case COMPLETED -> {
                health.succeeded(ended.server());
                server.completed(arrival);
            }
            case FAILED -> {
                health.failed(ended.server(), nowMicros());
                server.failed(arrival);
            }
            // A cancelled copy shows neither an error nor the latency of its server.
            case CANCELLED -> server.timedOut(arrival);
        }
        server.tokenReturned(TimeUnit.MICROSECONDS.toNanos(ended.tookMicros()));
    }

    private void removeIfDone(long id) {
        OpenRequest request = open.get(id);
        if (request != null && request.answered && request.arrivals.isEmpty()) {
            open.remove(id);
        }
    }

    private void perform(long id, Copies copies, List<Action> actions) {
        for (Action action : actions) {
            if (action.requestId() == id) {
                perform(copies, action);
            }
        }
    }

    private static void perform(Copies copies, Action action) {
        if (action instanceof Action.Send send) {
            copies.send(send.requestId(), send.index(), send.server());
        } else if (action instanceof Action.Cancel cancel) {
            copies.cancel(cancel.index());
        } else if (action instanceof Action.Respond respond) {
            copies.respond(respond.winner(), respond.failed());
        }
    }

    private long nowMicros() {
        return nanoTime.getAsLong() / 1_000;
    }
}
