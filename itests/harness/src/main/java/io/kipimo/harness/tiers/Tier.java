package io.kipimo.harness.tiers;

import io.kipimo.core.arbitration.Action;
import io.kipimo.core.arbitration.Arbiter;
import io.kipimo.core.arbitration.ArbiterSettings;
import io.kipimo.core.arbitration.AttemptEnd;
import io.kipimo.core.arbitration.TokenPool;
import io.kipimo.core.arbitration.TokenSettings;
import io.kipimo.sdk.ReplicationClient;
import io.kipimo.sdk.ServerIdentity;
import io.kipimo.sdk.ServerReporter;
import io.kipimo.sdk.ServerReports;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * An arbiter with tokens and the servers behind it. A server has a core for each of its tokens, so
 * a copy that is sent waits for nobody: its time is that of the next tier and then its own.
 */
final class Tier {
    private static final int CORES = 8;

    private final String name;
    private final ReplicationClient factors;
    private final ServerTime time;
    private final Tier next;
    private final ScheduledExecutorService timer;
    private final ServerReporter front;
    private final List<ServerReporter> servers = new ArrayList<>();

    // Mutable, guarded by this.
    private final Random random;
    private final Arbiter arbiter;
    private final Map<Long, Open> open = new HashMap<>();
    private long requests;
    private int newestCopies;

    /** A request with copies out. */
    private static final class Open {
        final Runnable answer;
        final long arrival;
        final Map<Integer, Long> copies = new HashMap<>();

        Open(Runnable answer, long arrival) {
            this.answer = answer;
            this.arrival = arrival;
        }
    }

    /**
     * @param next tier that every copy asks first; null: the last tier
     */
    Tier(
            String service,
            String name,
            int servers,
            ServerTime time,
            Tier next,
            ReplicationClient factors,
            ServerReports reports,
            ScheduledExecutorService timer,
            long seed) {
        this.name = name;
        this.time = time;
        this.next = next;
        this.factors = factors;
        this.timer = timer;
        this.random = new Random(seed);
        TokenSettings d = TokenSettings.DEFAULT;
        this.arbiter =
                new Arbiter(
                        new TokenPool(
                                servers,
                                new TokenSettings(
                                        CORES, d.lookAhead(), d.memory(), d.forgetMicros(), CORES)),
                        ArbiterSettings.PUBLISHED);
        this.front = reports.of(ServerIdentity.arbiter(service, name, name, name + "-arbiter"));
        for (int i = 0; i < servers; i++) {
            this.servers.add(
                    reports.of(
                            ServerIdentity.server(service, name, name, name + '-' + i, CORES)
                                    .withTokens(CORES)));
        }
    }

    /** Servers that the newest request was sent to at once. */
    synchronized int newestCopies() {
        return newestCopies;
    }

    /**
     * Copies a request.
     *
     * @param answer run once, with the first response
     */
    synchronized void ask(Runnable answer) {
        long id = requests++;
        open.put(id, new Open(answer, front.arrived()));
        List<Action> actions = arbiter.onRequest(id, factors.factor(name), nowMicros());
        newestCopies = actions.size();
        run(actions);
    }

    private void run(List<Action> actions) {
        for (Action action : actions) {
            Open request = open.get(action.requestId());
            if (action instanceof Action.Send send) {
                ServerReporter server = servers.get(send.server());
                request.copies.put(send.index(), server.arrived());
                serve(send);
            } else if (action instanceof Action.Respond) {
                front.completed(request.arrival);
                timer.execute(request.answer);
            } else if (action instanceof Action.Attempted ended) {
                ServerReporter server = servers.get(ended.server());
                server.completed(request.copies.remove(ended.index()));
                server.tokenReturned(TimeUnit.MICROSECONDS.toNanos(ended.tookMicros()));
            }
        }
    }

    private void serve(Action.Send send) {
        long millis = time.millis(random.nextDouble());
        Runnable own =
                () -> {
                    var unused = timer.schedule(() -> ended(send), millis, TimeUnit.MILLISECONDS);
                };
        if (next == null) {
            own.run();
        } else {
            timer.execute(() -> next.ask(own));
        }
    }

    private synchronized void ended(Action.Send send) {
        run(arbiter.onEnd(send.requestId(), send.index(), AttemptEnd.COMPLETED, nowMicros()));
        Open request = open.get(send.requestId());
        if (request.copies.isEmpty()) {
            open.remove(send.requestId());
        }
    }

    private static long nowMicros() {
        return System.nanoTime() / 1_000;
    }
}
