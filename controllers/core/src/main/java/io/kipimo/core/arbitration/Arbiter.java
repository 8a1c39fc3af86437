package io.kipimo.core.arbitration;

import io.kipimo.core.guard.Bounds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;

/**
 * The arbiter in front of a tier (sPARE, sec. IV-A): copies each request to as many different servers as its factor,
 * answers with the first response, lets the other copies run, and drops unsent copies once the request is answered. A
 * copy for which no other server is free waits in the replica queue.
 *
 * <p>A successful response wins. A failure is the answer only when no copy is left that could succeed. Two settings go
 * beyond the paper. With hedging, further copies are sent only if the first response is late, and only for a limited
 * share of the requests. Losers can be cancelled.
 *
 * <p>Deterministic: state, input and time determine the actions. The driver carries out the actions, reports the end of
 * every copy that it sent, and calls {@link #onTimer} when {@link #nextTimerMicros} is due. Time never goes back.
 * Mutable, for one owner.
 */
public final class Arbiter {

    /**
     * Settings of how an arbiter sends and cancels copies.
     *
     * @param hedging whether all copies but the first wait for the hedge delay; if not, all are sent at once, as in the
     *     paper
     * @param hedgeQuantile the hedge delay is this quantile of the recent response times of the quickest other server,
     *     0..1
     * @param hedgeCapMicros upper bound of the hedge delay
     * @param hedgeShare most copies after the hedge delay, as a share of the requests, 0 or more
     * @param cancelLosers whether running copies are cancelled after the first response; the paper lets them run
     */
    public record Hedging(
            boolean hedging, double hedgeQuantile, long hedgeCapMicros, double hedgeShare, boolean cancelLosers) {
        /** The settings of the paper: all copies are sent at once, and none is cancelled. */
        public static final Hedging PUBLISHED = new Hedging(false, 0.95, 0, CopyBudget.DEFAULT_SHARE, false);

        public Hedging {
            Bounds.within("hedgeCapMicros", hedgeCapMicros, 0, Long.MAX_VALUE);
            Bounds.require(hedgeQuantile >= 0 && hedgeQuantile <= 1, "hedgeQuantile", hedgeQuantile, "0..1");
        }
    }

    private final ServerChoice choice;
    private final Hedging settings;
    private final Map<Long, ArbitratedRequest> requests = new HashMap<>();
    private final ArrayDeque<ArbitratedRequest> waiting = new ArrayDeque<>();
    private final PriorityQueue<Hedge> hedges = new PriorityQueue<>(Hedge.BY_TIME);
    private final HedgeDelay hedgeDelay;
    private final CopyBudget budget;
    private long hedged;
    private int waitingCopies;
    private long lastMicros = Long.MIN_VALUE;

    /** A copy that was sent and has not ended. */
    private record SentCopy(int index, int server, long sentMicros) {}

    /** When the held copies of a request are due. Equal times are in the order of arrival. */
    private record Hedge(long atMicros, long order, ArbitratedRequest request) {
        static final Comparator<Hedge> BY_TIME =
                Comparator.comparingLong(Hedge::atMicros).thenComparingLong(Hedge::order);
    }

    private static final class ArbitratedRequest {
        final long id;
        final long arrivedMicros;
        final List<SentCopy> out = new ArrayList<>();
        int[] used = new int[2];
        int sent;
        // Copies in the replica queue, and copies held until the hedge delay ends.
        int queued;
        int held;
        long hedgeMicros;
        boolean answered;

        ArbitratedRequest(long id, long arrivedMicros) {
            this.id = id;
            this.arrivedMicros = arrivedMicros;
        }

        boolean uses(int server) {
            for (int i = 0; i < sent; i++) {
                if (used[i] == server) {
                    return true;
                }
            }
            return false;
        }

        void use(int server, long nowMicros) {
            if (sent == used.length) {
                used = Arrays.copyOf(used, 2 * sent);
            }
            out.add(new SentCopy(sent, server, nowMicros));
            used[sent++] = server;
        }
    }

    public Arbiter(ServerChoice choice, Hedging settings) {
        this.choice = choice;
        this.settings = settings;
        this.hedgeDelay = new HedgeDelay(
                choice.servers(), settings.hedgeQuantile(), settings.hedgeShare(), settings.hedgeCapMicros());
        this.budget = new CopyBudget(settings.hedgeShare());
    }

    /**
     * Takes a new request.
     *
     * @param requestId must differ from those of requests with unfinished copies
     * @param factor copies wanted, at least 1; at most one per server is sent
     * @throws IllegalArgumentException if the id is taken, the factor below 1, or time goes back
     */
    public List<Action> onRequest(long requestId, int factor, long nowMicros) {
        advance(nowMicros);
        Bounds.within("factor", factor, 1, Integer.MAX_VALUE);
        ArbitratedRequest request = new ArbitratedRequest(requestId, nowMicros);
        if (requests.putIfAbsent(requestId, request) != null) {
            throw new IllegalArgumentException(
                    "request " + requestId + " is not new; allowed: one without unfinished copies");
        }
        int copies = Math.min(factor, choice.servers());
        boolean hold = settings.hedging() && copies > 1;
        if (settings.hedging()) {
            budget.onRequest();
        }
        List<Action> actions = new ArrayList<>();
        send(request, hold ? 1 : copies, nowMicros, actions);
        if (hold) {
            request.held = copies - 1;
            int asked = request.sent == 0 ? -1 : request.used[0];
            request.hedgeMicros = nowMicros + hedgeDelay.micros(asked);
            hedges.add(new Hedge(request.hedgeMicros, hedged++, request));
        }
        return actions;
    }

    /**
     * Handles the end of a copy.
     *
     * @param index index of a copy that was sent and has not ended yet
     * @throws IllegalArgumentException if there is no such copy, or time goes back
     */
    public List<Action> onEnd(long requestId, int index, AttemptEnd end, long nowMicros) {
        advance(nowMicros);
        ArbitratedRequest request = requests.get(requestId);
        SentCopy copy = request == null ? null : remove(request, index);
        if (copy == null) {
            throw new IllegalArgumentException(
                    "copy " + index + " of request " + requestId + " ends; allowed: one sent");
        }
        List<Action> actions = new ArrayList<>();
        boolean completed = end == AttemptEnd.COMPLETED;
        boolean winner = completed && !request.answered;
        long tookMicros = nowMicros - copy.sentMicros();
        actions.add(new Action.Attempted(requestId, index, copy.server(), winner, end, tookMicros));
        choice.giveBack(copy.server(), copy.sentMicros(), completed, nowMicros);
        if (completed && settings.hedging()) {
            hedgeDelay.responded(copy.server(), tookMicros);
        }
        if (winner) {
            answer(request, copy, false, nowMicros, actions);
        } else if (!request.answered) {
            afterFailure(request, copy, nowMicros, actions);
        }
        if (request.answered && request.out.isEmpty()) {
            requests.remove(requestId);
        }
        serveWaiting(nowMicros, actions);
        return actions;
    }

    /**
     * The client has given up: unsent copies are dropped, and sent copies run on. No {@link Action.Respond} follows.
     *
     * @param requestId of a request without an answer; ignored for any other
     */
    public List<Action> onAbandoned(long requestId, long nowMicros) {
        advance(nowMicros);
        ArbitratedRequest request = requests.get(requestId);
        List<Action> actions = new ArrayList<>();
        if (request != null && !request.answered) {
            close(request, actions);
            if (request.out.isEmpty()) {
                requests.remove(requestId);
            }
        }
        return actions;
    }

    /** Sends the held copies whose hedge delay is over. */
    public List<Action> onTimer(long nowMicros) {
        advance(nowMicros);
        List<Action> actions = new ArrayList<>();
        while (!hedges.isEmpty() && hedges.peek().atMicros() <= nowMicros) {
            sendHeld(hedges.remove().request(), nowMicros, actions);
        }
        return actions;
    }

    /** Returns when to call {@link #onTimer}, microseconds; {@link Long#MAX_VALUE}: not needed. */
    public long nextTimerMicros() {
        return hedges.isEmpty() ? Long.MAX_VALUE : hedges.peek().atMicros();
    }

    /**
     * Returns the time that the held copies of a request still wait, milliseconds, rounded up, for a timer that calls
     * {@link #onTimer}; empty: the request has no held copies.
     */
    public OptionalLong hedgeMillis(long requestId, long nowMicros) {
        ArbitratedRequest request = requests.get(requestId);
        return request == null || request.held == 0
                ? OptionalLong.empty()
                : OptionalLong.of(TimeUnit.MICROSECONDS.toMillis(Math.max(0, request.hedgeMicros - nowMicros)) + 1);
    }

    /** Number of requests without an answer, or with unfinished copies. */
    public int open() {
        return requests.size();
    }

    /** Number of copies in the replica queue. */
    public int waitingCopies() {
        return waitingCopies;
    }

    /** Number of copies that were due, but not sent, because they were beyond their share of the requests. */
    public long withheldCopies() {
        return budget.withheld();
    }

    /** Least time that copies are held for a first response: MIN(percentile, cap). */
    long hedgeDelayMicros() {
        return hedgeDelay.micros(-1);
    }

    private void send(ArbitratedRequest request, int copies, long nowMicros, List<Action> actions) {
        List<Integer> servers = choice.take(copies, request::uses, nowMicros);
        dispatch(request, servers, nowMicros, actions);
        if (servers.size() < copies) {
            if (request.queued == 0) {
                waiting.add(request);
            }
            request.queued += copies - servers.size();
            waitingCopies += copies - servers.size();
        }
    }

    private static void dispatch(
            ArbitratedRequest request, List<Integer> servers, long nowMicros, List<Action> actions) {
        for (int server : servers) {
            actions.add(new Action.Send(request.id, request.sent, server));
            request.use(server, nowMicros);
        }
    }

    /** Sends the remaining held copies of a request, as far as the share of copies allows. */
    private void sendHeld(ArbitratedRequest request, long nowMicros, List<Action> actions) {
        hedgeDelay.due(request.held);
        int due = budget.take(request.held);
        request.held = 0;
        if (due > 0) {
            send(request, due, nowMicros, actions);
        }
    }

    /**
     * Sends waiting copies in the order of arrival, while a server is free. A request never gets the same server twice.
     */
    private void serveWaiting(long nowMicros, List<Action> actions) {
        Iterator<ArbitratedRequest> inOrder = waiting.iterator();
        while (inOrder.hasNext() && choice.hasFree()) {
            ArbitratedRequest request = inOrder.next();
            List<Integer> servers = choice.take(request.queued, request::uses, nowMicros);
            dispatch(request, servers, nowMicros, actions);
            request.queued -= servers.size();
            waitingCopies -= servers.size();
            if (request.queued == 0) {
                inOrder.remove();
            }
        }
    }

    private void answer(
            ArbitratedRequest request, SentCopy copy, boolean failed, long nowMicros, List<Action> actions) {
        actions.add(
                new Action.Respond(request.id, copy.index(), copy.server(), failed, nowMicros - request.arrivedMicros));
        close(request, actions);
    }

    /** Drops the unsent copies of a request that needs no more. Cancels its running copies if the settings say so. */
    private void close(ArbitratedRequest request, List<Action> actions) {
        request.answered = true;
        waitingCopies -= request.queued;
        request.queued = 0;
        request.held = 0;
        if (settings.cancelLosers()) {
            for (SentCopy loser : request.out) {
                actions.add(new Action.Cancel(request.id, loser.index(), loser.server()));
            }
        }
    }

    private void afterFailure(ArbitratedRequest request, SentCopy copy, long nowMicros, List<Action> actions) {
        sendHeld(request, nowMicros, actions);
        if (request.out.isEmpty() && request.queued == 0) {
            answer(request, copy, true, nowMicros, actions);
        }
    }

    private static SentCopy remove(ArbitratedRequest request, int index) {
        for (int i = 0; i < request.out.size(); i++) {
            if (request.out.get(i).index() == index) {
                return request.out.remove(i);
            }
        }
        return null;
    }

    private void advance(long nowMicros) {
        if (nowMicros < lastMicros) {
            throw new IllegalArgumentException("time is " + nowMicros + " us; allowed: not before " + lastMicros);
        }
        lastMicros = nowMicros;
    }
}
