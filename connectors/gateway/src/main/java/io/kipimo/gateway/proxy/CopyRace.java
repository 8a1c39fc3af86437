package io.kipimo.gateway.proxy;

import io.kipimo.core.arbitration.AttemptEnd;
import io.kipimo.gateway.arbitration.Copies;
import io.kipimo.gateway.config.ListenerConfig;
import io.kipimo.gateway.metrics.RouteCounts.RouteEvent;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.RequestOptions;
import java.util.ArrayList;
import java.util.List;

/**
 * The copies of one request. The arbiter chooses their servers and the winner. If all copies fail, the request may be
 * dispatched again, as a round of one copy.
 */
final class CopyRace {
    /** Receives the arbiter's decisions and the progress of copies, on the exchange's event loop. */
    interface RaceOwner extends ServerCopy.CopyOwner {
        /** Whether further copies may be sent. */
        boolean wantsCopies();

        /**
         * The arbiter decided on a copy of the latest round.
         *
         * @param failed no copy of the round brought a response
         */
        void onDecided(ServerCopy copy, boolean failed);
    }

    private final ProxyVerticle loop;
    private final Route route;
    private final Context context;
    private final InboundRequest request;
    private final RecordingTap tap;
    private final RaceOwner owner;

    /** Ends the wait for a late response. */
    private final ExchangeTimer lateTimer;

    private boolean isRepeatable;
    private int retriesLeft;
    private CopyRound round;

    CopyRace(
            ProxyVerticle loop,
            Route route,
            Context context,
            InboundRequest request,
            RecordingTap tap,
            RaceOwner owner) {
        this.loop = loop;
        this.route = route;
        this.context = context;
        this.request = request;
        this.tap = tap;
        this.owner = owner;
        this.lateTimer = new ExchangeTimer(loop.vertx());
    }

    /**
     * Dispatches the request.
     *
     * @param isRepeatable whether it may be sent more than once
     */
    void start(boolean isRepeatable) {
        this.isRepeatable = isRepeatable;
        retriesLeft = isRepeatable ? route.config().arbitration().retries() : 0;
        dealOut(isRepeatable && !request.isReplay() ? factor() : 1);
    }

    private int factor() {
        ListenerConfig.Dispatch config = route.config().arbitration();
        return Math.min(
                route.control().factor(route.config().tier()),
                Math.min(config.mostCopies(), route.arbitration().servers()));
    }

    void retry() {
        retriesLeft--;
        route.counts().count(RouteEvent.RETRIES);
        dealOut(1);
    }

    int retriesLeft() {
        return retriesLeft;
    }

    private void dealOut(int factor) {
        round = new CopyRound(factor == 1);
        round.id = route.arbitration().request(round, factor);
        if (factor > 1 && route.config().arbitration().hedgeMillis() > 0) {
            route.arbitration().hedgeMillis(round.id).ifPresent(millis -> loop.vertx()
                    .setTimer(millis, t -> route.arbitration().timer()));
        }
    }

    /** Whether no copy is under way. */
    boolean isOver() {
        return round == null || round.isOver();
    }

    /** Reports the end of a copy to the arbiter. */
    void ended(ServerCopy copy, AttemptEnd end) {
        route.arbitration().ended(copy.requestId(), copy.index(), end);
    }

    /**
     * Ends the race because the caller has left or no response came in time. A response that is recorded late is still
     * awaited.
     */
    void leave(AttemptEnd end) {
        if (tap.recordsLate() && round != null) {
            lateTimer.start(tap.lateMillis(), () -> abandon(end));
        } else {
            abandon(end);
        }
    }

    /** Stops the wait for late responses after one has been recorded, if no copy is under way. */
    void lateResponseRecorded() {
        if (isOver()) {
            // A pending timer would keep the bodies in memory.
            lateTimer.cancel();
        }
    }

    /** Sends no further copies, and cancels those under way. */
    void abandon(AttemptEnd end) {
        if (round != null) {
            route.arbitration().abandoned(round.id);
            round.cancelAll(end);
        }
        tap.callFailed();
    }

    private void onContext(Runnable task) {
        if (Vertx.currentContext() == context) {
            task.run();
        } else {
            context.runOnContext(v -> task.run());
        }
    }

    /** Copies that were dispatched together. */
    private final class CopyRound implements Copies {
        private final boolean isSingle;
        private final List<ServerCopy> copies = new ArrayList<>(1);
        private long id;

        CopyRound(boolean isSingle) {
            this.isSingle = isSingle;
        }

        @Override
        public void send(long id, int index, int server) {
            onContext(() -> {
                ServerCopy copy = new ServerCopy(owner, id, index, server, isSingle);
                copies.add(copy);
                if (owner.wantsCopies()) {
                    send(copy, server);
                } else {
                    copy.cancel(AttemptEnd.CANCELLED);
                }
            });
        }

        private void send(ServerCopy copy, int server) {
            route.counts().count(RouteEvent.COPIES);
            if (isRepeatable) {
                route.counts().count(RouteEvent.SENT_QUERIES);
            }
            copy.send(
                    loop.open(
                            route,
                            server,
                            new RequestOptions()
                                    .setMethod(request.http().method())
                                    .setURI(request.target())
                                    .setHeaders(request.headers(route))),
                    request.body());
        }

        @Override
        public void cancel(int index) {
            onContext(() -> copy(index).cancel(AttemptEnd.CANCELLED));
        }

        @Override
        public void respond(int index, boolean failed) {
            onContext(() -> {
                if (round == this) {
                    owner.onDecided(copy(index), failed);
                }
            });
        }

        /** The copy with this index. The order of the list may differ, since several threads dispatch copies. */
        private ServerCopy copy(int index) {
            for (ServerCopy copy : copies) {
                if (copy.index() == index) {
                    return copy;
                }
            }
            throw new IllegalStateException("copy " + index + " was not sent");
        }

        boolean isOver() {
            for (ServerCopy copy : copies) {
                if (!copy.hasEnded()) {
                    return false;
                }
            }
            return true;
        }

        void cancelAll(AttemptEnd end) {
            List.copyOf(copies).forEach(copy -> copy.cancel(end));
        }
    }
}
