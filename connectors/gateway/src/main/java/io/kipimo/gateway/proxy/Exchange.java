package io.kipimo.gateway.proxy;

import io.kipimo.core.arbitration.AttemptEnd;
import io.kipimo.gateway.config.EmptyResponse;
import io.kipimo.gateway.grpc.GrpcCall;
import io.kipimo.gateway.metrics.RouteCounts.RouteEvent;
import io.kipimo.gateway.record.RecordedResponse;
import io.kipimo.schemas.completeness.ToldCompleteness;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An admitted request until its caller has the answer and, if it is recorded, until its late response has arrived.
 * {@link Admission} comes before it.
 *
 * <p>{@link MemoLookup} may answer a component's request of a replay. Otherwise {@link CopyRace} gets a response from
 * the servers, and {@link Relay} passes it on. With a single copy, it passes the response on as it arrives. With
 * several, it passes on the first one that is whole, or that is too large to be kept. {@link RecordingTap} records it.
 * {@link ExchangePhase} is the progress of the exchange.
 *
 * <p>If callers are told whether the answer is whole, a single copy's response is also held until it is whole. A
 * response that is an event stream, too large to be kept, or too slow is not held: its head says that nothing is known.
 *
 * <p>Everything but the arbiter's calls runs on the event loop of the caller's connection.
 */
final class Exchange implements CopyRace.RaceOwner {
    private static final String EVENTS = "text/event-stream";

    /** Nine tenths of a millisecond, nanoseconds. */
    private static final long NEARLY_A_MILLI = 900_000;

    private final ProxyVerticle loop;
    private final Route route;
    private final InboundRequest inbound;
    private final CallerResponse response;
    private final Context context;
    private final ExchangeTimer responseTimer;
    private final boolean isRepeatable;
    private final RecordingTap tap;
    private final CopyRace race;
    private ExchangePhase phase = ExchangePhase.WAITING;
    private long startNanos;

    /** How long the caller waits, milliseconds, if it says so. */
    private long patienceMillis = Long.MAX_VALUE;

    /** Relay of the chosen response; null: none has been chosen. */
    private Relay relay;

    /** Response that is held until it is whole, while the caller waits for its head; null: none. */
    private ServerCopy held;

    Exchange(ProxyVerticle loop, Route route, InboundRequest inbound, CallerResponse response) {
        this.loop = loop;
        this.route = route;
        this.inbound = inbound;
        this.response = response;
        context = loop.vertx().getOrCreateContext();
        responseTimer = new ExchangeTimer(loop.vertx());
        inbound.place().begin();
        response.onClose(this::callerLeft);
        isRepeatable = inbound.isRepeatable(route);
        if (!route.config().only().isEmpty()) {
            if (!isRepeatable) {
                route.counts().count(RouteEvent.PASSED);
            }
            route.recorder()
                    .came(route.config(), isRepeatable, inbound.http().method().name(), inbound.target());
        }
        tap = new RecordingTap(route, inbound, isRepeatable);
        race = new CopyRace(loop, route, context, tap.sent(), tap, this);
    }

    void begin() {
        if (tap.isNotAsked()) {
            EmptyResponse empty = route.config().notAsked().orElseThrow();
            route.counts().count(RouteEvent.NOT_ASKED);
            answer(empty.status());
            response.empty(empty);
        } else if (inbound.isReplay() && isRepeatable && route.config().memoize()) {
            MemoLookup.find(route, tap.memoKey().orElseThrow(), context, this::repeat, this::forward);
        } else {
            forward();
        }
    }

    private void repeat(RecordedResponse memo) {
        if (phase == ExchangePhase.WAITING) {
            route.counts().count(RouteEvent.REPLAYED);
            tap.callServed();
            answer(memo.status());
            response.memo(memo);
        }
    }

    private void forward() {
        if (phase == ExchangePhase.WAITING) {
            if (!inbound.body().isStreamed()) {
                startResponseTimer();
            }
            race.start(isRepeatable);
        }
    }

    private void startResponseTimer() {
        long millis = route.config().timeouts().responseMillis();
        OptionalLong patience = GrpcCall.timeoutMillis(inbound.http().headers());
        startNanos = System.nanoTime();
        patience.ifPresent(p -> patienceMillis = p);
        responseTimer.start(Math.min(millis, patience.orElse(millis)), this::timeOut);
    }

    /**
     * Whether the caller has waited as long as it said. It cancels its call at about the time when the gateway's own
     * timer ends, because it has another clock.
     */
    private boolean hasCallerWaited() {
        return phase == ExchangePhase.WAITING && (System.nanoTime() - startNanos) / NEARLY_A_MILLI >= patienceMillis;
    }

    @Override
    public boolean mayCompleteBody() {
        if (phase != ExchangePhase.WAITING) {
            return true;
        }
        if (Admission.takesPlace(inbound, response)) {
            startResponseTimer();
            return true;
        }
        answer(503);
        race.abandon(AttemptEnd.CANCELLED);
        return false;
    }

    @Override
    public boolean wantsCopies() {
        return phase.wantsResponse(tap.recordsLate());
    }

    @Override
    public void onHead(ServerCopy copy) {
        if (!copy.isOnly() || tap.wantsBody()) {
            copy.keepBody(inbound.kept());
        }
        if (copy.isOnly() && phase == ExchangePhase.WAITING) {
            if (tap.holdsAnswer() && isHeld(copy)) {
                held = copy;
            } else {
                relay(copy);
            }
        }
    }

    /**
     * Whether a response is held until it is whole: it is no event stream, and it does not declare too great a length.
     */
    private boolean isHeld(ServerCopy copy) {
        String length = copy.response().getHeader(HttpHeaders.CONTENT_LENGTH);
        String type = copy.response().getHeader(HttpHeaders.CONTENT_TYPE);
        return (length == null
                        || Long.parseLong(length) <= route.gateway().record().bodyBytes())
                && (type == null || !type.toLowerCase(Locale.ROOT).startsWith(EVENTS));
    }

    @Override
    public void onPiece(ServerCopy copy, Buffer piece) {
        if (isRelayed(copy)) {
            relay.pass(piece);
            if (relay.isCallerSlower()) {
                // From here on, the caller determines the duration.
                inbound.place().answered(copy.status());
                relay.holdServerBack();
            }
        }
        if (copy.body() == null
                || !(phase.wantsResponse(tap.recordsLate()) || isCompared(copy))
                || copy.body().add(piece)) {
            return;
        }
        if (phase == ExchangePhase.WAITING) {
            copy.body().addBeyondRoom(piece);
            relay(copy);
        }
        copy.dropBody();
    }

    @Override
    public void onComplete(ServerCopy copy) {
        inbound.body().drain();
        if (isRelayed(copy)) {
            finishRelayed(copy);
        } else if (phase.isLate(tap.recordsLate())) {
            route.counts().count(RouteEvent.LATE);
            tap.callReturned(copy);
            race.lateResponseRecorded();
        } else if (isCompared(copy) && relay.copy().isWhole() && copy.isWhole()) {
            ReplicaCheck.of(loop, route, tap.sent(), relay.copy(), copy);
        }
        releaseBodies();
        race.ended(copy, copy.status() >= 500 ? AttemptEnd.FAILED : AttemptEnd.COMPLETED);
    }

    @Override
    public void onBroken(ServerCopy copy, AttemptEnd end) {
        inbound.body().drain();
        if (isRelayed(copy)) {
            tap.callFailed();
            route.counts().count(RouteEvent.UNANSWERED);
            answer(502);
            tap.queryFailed(502);
            relay.breakOff();
        } else if (phase.isOver() && copy.isOnly()) {
            tap.callFailed();
        }
        releaseBodies();
        race.ended(copy, end);
    }

    @Override
    public void onDecided(ServerCopy copy, boolean failed) {
        switch (ExchangeVerdict.of(phase, copy.isWhole(), failed, race.retriesLeft())) {
            case RELAY -> {
                choose(copy);
                ToldCompleteness told = record(copy);
                relay.begin(response, route.isDraining(), tells(told));
                relay.end();
            }
            case RETRY -> race.retry();
            case FAIL -> {
                route.counts().count(RouteEvent.UNANSWERED);
                tap.callFailed();
                inbound.place().dropped();
                answer(502);
                tap.queryFailed(502);
                response.error(502, "no server answered");
            }
            case IGNORE -> {}
        }
    }

    /** Whether the copy lost, and its response is compared with the winner's. */
    private boolean isCompared(ServerCopy copy) {
        return tap.comparesCopies() && phase == ExchangePhase.ANSWERED && relay != null && !relay.isOf(copy);
    }

    private boolean isRelayed(ServerCopy copy) {
        return phase == ExchangePhase.RELAYING && relay.isOf(copy);
    }

    private void choose(ServerCopy copy) {
        phase = phase.relay();
        responseTimer.cancel();
        relay = new Relay(inbound.http(), copy);
    }

    /** Passes on a response that has not arrived completely. */
    private void relay(ServerCopy copy) {
        choose(copy);
        relay.begin(response, route.isDraining(), tells(ToldCompleteness.UNKNOWN));
    }

    private Optional<ToldCompleteness> tells(ToldCompleteness told) {
        return tap.tells() ? Optional.of(told) : Optional.empty();
    }

    /** Records the response, then passes its end on. */
    private void finishRelayed(ServerCopy copy) {
        var unused = record(copy);
        relay.end();
    }

    private ToldCompleteness record(ServerCopy copy) {
        inbound.place().answered(copy.status());
        tap.callReturned(copy);
        answer(copy.status());
        return tap.queryAnswered(copy);
    }

    private void timeOut() {
        if (phase == ExchangePhase.WAITING
                && held != null
                && !held.hasEnded()
                && !GrpcCall.is(inbound.http().headers())) {
            relay(held);
        } else if (phase == ExchangePhase.WAITING) {
            phase = phase.leave();
            route.counts().count(RouteEvent.TIMED_OUT);
            inbound.place().dropped();
            tap.callAbandoned();
            inbound.place().end(504);
            over();
            tap.queryFailed(504);
            response.error(504, "no server answered in time");
            race.leave(AttemptEnd.FAILED);
        }
    }

    private void callerLeft() {
        if (phase.isOver()) {
            return;
        }
        if (hasCallerWaited()) {
            timeOut();
            return;
        }
        boolean wasRelaying = phase == ExchangePhase.RELAYING;
        phase = phase.leave();
        route.counts().count(RouteEvent.ABANDONED);
        tap.callAbandoned();
        if (wasRelaying) {
            relay.readOn();
        }
        inbound.place().abandon();
        over();
        tap.queryAbandoned();
        race.leave(AttemptEnd.CANCELLED);
    }

    /** Ends the exchange with a response of this status, whole or not. */
    private void answer(int status) {
        phase = phase.answer();
        inbound.place().end(status);
        over();
    }

    private void over() {
        responseTimer.cancel();
        releaseBodies();
        inbound.body().drain();
    }

    private void releaseBodies() {
        if (phase.isOver() && race.isOver()) {
            inbound.kept().release();
        }
    }
}
