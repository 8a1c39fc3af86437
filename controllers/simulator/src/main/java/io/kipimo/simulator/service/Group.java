package io.kipimo.simulator.service;

import io.kipimo.core.arbitration.Action;
import io.kipimo.core.arbitration.Arbiter;
import io.kipimo.core.arbitration.AttemptEnd;
import io.kipimo.simulator.engine.Engine;
import io.kipimo.simulator.engine.Handler;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The servers of one partition and their arbiter, whose actions it executes. A single server needs no arbiter. */
final class Group implements Handler {
    /** Calls that a group makes to the model. */
    interface Driver {
        /** Sends a copy to its server. */
        void send(Copy copy);

        /**
         * Called once for each request: at its first response, or when its last copy has failed.
         *
         * @param failed whether no copy brought a response
         */
        void answer(Request request, boolean failed);

        /** The work of a request on a copy, seconds of a core. */
        double demand(Request request, int index);

        /** Cancels the call for which a copy waits, if any. */
        void giveUpCall(Copy copy);
    }

    private static final int NANOS_A_MICRO = 1000;

    final Server[] servers;
    private final Engine engine;
    private final Driver driver;
    private final SimulatedTier tier;
    private final TierSpec spec;
    private final int timer;
    private final Arbiter arbiter;
    private final Map<Long, Request> requests = new HashMap<>();
    private long nextId;

    Group(SimulatedTier tier, Server[] servers, Engine engine, Driver driver) {
        this.tier = tier;
        this.spec = tier.spec;
        this.servers = servers;
        this.engine = engine;
        this.driver = driver;
        this.timer = engine.timer(this, 0);
        this.arbiter = servers.length == 1 ? null : spec.arbitration().arbiter(servers.length);
    }

    void open(Request request) {
        if (tier.meter != null) {
            tier.meter.opened(request);
        }
        if (arbiter == null) {
            send(request, 0, 0);
            return;
        }
        request.id = nextId++;
        requests.put(request.id, request);
        perform(arbiter.onRequest(request.id, tier.factor, nowMicros()));
    }

    /** Handles the end of a copy, which has answered, was refused, or was cancelled. */
    void ended(Copy copy, AttemptEnd end) {
        if (copy.reported) {
            return;
        }
        copy.reported = true;
        if (tier.meter != null) {
            tier.meter.ended(copy, end);
        }
        if (arbiter == null) {
            if (end != AttemptEnd.CANCELLED && !copy.request.isOver()) {
                answer(copy.request, end != AttemptEnd.COMPLETED);
            }
            return;
        }
        perform(arbiter.onEnd(copy.request.id, copy.index, end, nowMicros()));
        forget(copy.request);
    }

    /** Abandons a request for which no caller waits. */
    void cancel(Request request) {
        request.abandoned = true;
        for (Copy copy = request.first; copy != null; copy = copy.next) {
            withdraw(copy);
        }
    }

    @Override
    public void fire(long argument) {
        perform(arbiter.onTimer(nowMicros()));
    }

    private void perform(List<Action> actions) {
        for (Action action : actions) {
            Request request = requests.get(action.requestId());
            if (action instanceof Action.Send send) {
                send(request, send.index(), send.server());
            } else if (action instanceof Action.Cancel cancel) {
                cancelLoser(request.copy(cancel.index()));
            } else if (action instanceof Action.Respond respond && !request.isOver()) {
                answer(request, respond.failed());
            }
        }
        long next = arbiter.nextTimerMicros();
        if (next == Long.MAX_VALUE) {
            engine.cancel(timer);
        } else {
            engine.set(timer, Math.max(engine.nowNanos(), next * NANOS_A_MICRO));
        }
    }

    private void answer(Request request, boolean failed) {
        if (tier.meter != null && !failed) {
            tier.meter.answered(request);
        }
        driver.answer(request, failed);
    }

    private void send(Request request, int index, int server) {
        Copy copy = new Copy(
                request,
                this,
                servers[server],
                index,
                driver.demand(request, spec.independentCopies() ? index : 0),
                spec.callsPerRequest());
        copy.next = request.first;
        request.first = copy;
        if (request.abandoned) {
            // Its caller gave up before it got a server.
            withdraw(copy);
        } else {
            if (tier.meter != null) {
                tier.meter.sent(copy);
            }
            driver.send(copy);
        }
    }

    /** Cancels a copy that lost, unless its response is already in transit. */
    private void cancelLoser(Copy copy) {
        if (!copy.over) {
            withdraw(copy);
        }
    }

    private void withdraw(Copy copy) {
        if (!copy.over) {
            copy.over = true;
            if (tier.meter != null && copy.begun) {
                tier.meter.abandoned(copy);
            }
            copy.server.remove(copy);
            driver.giveUpCall(copy);
        }
        ended(copy, AttemptEnd.CANCELLED);
    }

    private void forget(Request request) {
        boolean isOut = false;
        for (Copy copy = request.first; copy != null; copy = copy.next) {
            isOut |= !copy.reported;
        }
        if (request.isOver() && !isOut) {
            requests.remove(request.id);
        }
    }

    private long nowMicros() {
        return engine.nowNanos() / NANOS_A_MICRO;
    }
}
