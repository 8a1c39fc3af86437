package io.kipimo.gateway.proxy;

import io.kipimo.core.arbitration.AttemptEnd;
import io.kipimo.gateway.arbitration.Copies;
import io.kipimo.gateway.config.ListenerConfig;
import io.kipimo.gateway.config.Role;
import io.kipimo.gateway.http.ForwardedHeaders;
import io.kipimo.gateway.http.RequestCheck;
import io.kipimo.gateway.http.RetryAfter;
import io.kipimo.gateway.limit.LocalLimit;
import io.kipimo.gateway.metrics.RouteCounts.Event;
import io.kipimo.gateway.metrics.RouteCounts.Fault;
import io.kipimo.gateway.record.ComponentCall;
import io.kipimo.gateway.record.FrontQuery;
import io.kipimo.gateway.record.MemoKey;
import io.kipimo.gateway.record.RecordedResponse;
import io.kipimo.gateway.trust.Claims;
import io.kipimo.sdk.trace.TraceParent;
import io.vertx.core.Context;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * One request from its arrival to its answer, and, if it is recorded, to the late response.
 *
 * <p>In this order: refuse what is no request; admit; read the body if it is small; stay under the
 * local limit; ask the memo cache if this is a replay; deal out; relay the first response. A body
 * that is not kept comes under the limit with its last byte: a slow caller takes nobody's place.
 * One copy is relayed as it comes, with the slower side holding back the faster; of several, the
 * first that is whole wins, or the first that has become too large to be kept.
 *
 * <p>All but the arbiter's calls run on the event loop of the caller's connection.
 */
final class Exchange {
    private static final long NO_TIMER = -1;
    private static final long UNKNOWN = -1;

    private final ProxyVerticle loop;
    private final Route route;
    private final ListenerConfig config;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final Context context;

    private String target;
    private Claims claims;
    private String queryClass;
    private TraceParent trace;
    private boolean isReplay;

    /** May be sent more than once: idempotent, and its body, if any, is at hand. */
    private boolean repeatable;

    private Buffer body;

    /** The body goes to the server as it comes, once. */
    private boolean streams;

    /** Bytes of the body that are announced; -1: they come in chunks. */
    private long length;

    private long streamedBytes;

    /** Nothing of the request is still to come. */
    private boolean requestIsWhole = true;

    /** Of {@link Route#buffers}. */
    private long bufferedBytes;

    private LocalLimit.Ticket ticket;
    private Optional<FrontQuery> query = Optional.empty();
    private Optional<ComponentCall> call = Optional.empty();
    private Optional<MemoKey> memoKey = Optional.empty();

    private long arrival;
    private long startNanos;
    private long timer = NO_TIMER;

    /** When a late response is no longer waited for. */
    private long lateTimer = NO_TIMER;

    private int retriesLeft;
    private Round round;
    private Attempt relayed;

    /** Of the declared length of the body, what has not come yet, bytes. */
    private long unsent = UNKNOWN;

    /** What completes a body of declared length; null: nothing. */
    private Buffer lastPiece;

    /** The caller has all that it gets. */
    private boolean over;

    private boolean timedOut;

    /** The caller went away, or was told that it takes too long. */
    private boolean unanswered;

    Exchange(ProxyVerticle loop, Route route, HttpServerRequest request) {
        this.loop = loop;
        this.route = route;
        this.config = route.config();
        this.request = request;
        this.response = request.response();
        this.context = loop.vertx().getOrCreateContext();
    }

    void run() {
        if (loop.isClosing(request.connection())) {
            return;
        }
        route.counts().count(Event.REQUESTS);
        Optional<RequestCheck.Refusal> refusal =
                RequestCheck.check(
                        request.version(), request.method(), request.uri(), request.headers());
        if (refusal.isPresent()) {
            route.counts().count(Event.REFUSED);
            closeAfterwards();
            respond(refusal.get().status(), refusal.get().why());
            return;
        }
        target = RequestCheck.target(request.uri()).orElse(request.uri());
        claims = route.trust().claims(request.headers(), caller(), System.currentTimeMillis());
        queryClass = claims.queryClass();
        response.exceptionHandler(e -> {});
        if (admitted()) {
            trace = claims.trace();
            isReplay = claims.isReplay();
            readBody();
        }
    }

    /** Nobody else waits meanwhile. */
    private void readBody() {
        boolean inChunks = request.headers().contains(HttpHeaders.TRANSFER_ENCODING);
        length = inChunks ? -1 : length(request.headers());
        repeatable = config.idempotent().contains(request.method().name());
        if (length == 0) {
            enter();
        } else if (!inChunks && isKept(length)) {
            request.body()
                    .onSuccess(
                            all -> {
                                body = all;
                                enter();
                            })
                    .onFailure(
                            e -> {
                                over = true;
                                route.counts().count(Event.ABANDONED);
                                giveBuffersBack();
                            });
        } else {
            repeatable = false;
            streams = true;
            requestIsWhole = false;
            request.pause();
            if (limit().isPresent()) {
                // The place is taken when the body is there.
                ticket.ignored();
                ticket = null;
                begin();
            } else {
                request.resume();
            }
        }
    }

    private boolean isKept(long bytes) {
        return bytes <= route.gateway().record().bodyBytes() && keep((int) bytes);
    }

    /** Takes room for bytes of a body that is kept, if there is. */
    private boolean keep(int bytes) {
        if (!route.buffers().take(bytes)) {
            route.counts().count(Fault.NO_ROOM);
            return false;
        }
        bufferedBytes += bytes;
        return true;
    }

    private void giveBuffersBack() {
        if (over && (round == null || round.isOver())) {
            route.buffers().giveBack(bufferedBytes);
            bufferedBytes = 0;
        }
    }

    private void enter() {
        if (limit().isPresent()) {
            begin();
        } else {
            over = true;
            giveBuffersBack();
        }
    }

    /** This is the connection's last request, whatever comes behind it. */
    private void closeAfterwards() {
        response.putHeader(HttpHeaders.CONNECTION, "close");
        loop.closing(request.connection());
        response.endHandler(v -> request.connection().close());
    }

    private boolean admitted() {
        if (route.is(Role.FRONT)) {
            route.control().offered(queryClass);
        }
        if (config.admits() && !admittedByFraction()) {
            shed(Event.SHED_BY_ADMISSION, 429, "shed: the admitted fraction of its class is full");
            return false;
        }
        return true;
    }

    /** Takes a place among the requests under way; without one the request is shed. */
    private Optional<LocalLimit.Ticket> limit() {
        Optional<LocalLimit.Ticket> entered = route.limit().enter(queryClass);
        if (entered.isEmpty()) {
            shed(Event.SHED_BY_LIMIT, 503, "shed: too many requests are under way");
        }
        ticket = entered.orElse(null);
        return entered;
    }

    private boolean admittedByFraction() {
        if (claims.isTrusted()) {
            return route.control().admits(queryClass, claims.trace().traceId());
        }
        String draw =
                route.trust()
                        .draw(
                                request.headers(),
                                caller(),
                                request.method().name(),
                                target,
                                System.currentTimeMillis());
        boolean isAdmitted = route.control().admits(queryClass, draw);
        if (isAdmitted) {
            claims = route.trust().admitted(claims, id -> route.control().admits(queryClass, id));
        }
        return isAdmitted;
    }

    private String caller() {
        return request.remoteAddress().hostAddress();
    }

    private void shed(Event event, int status, String why) {
        route.counts().count(event);
        if (route.is(Role.FRONT)) {
            route.control().rejected(queryClass);
        }
        response.putHeader(RetryAfter.HEADER, RetryAfter.seconds(ThreadLocalRandom.current()));
        respond(status, why);
    }

    private void begin() {
        startNanos = System.nanoTime();
        route.entered();
        arrival = route.front().arrived();
        response.closeHandler(v -> gone());
        if (repeatable && route.is(Role.FRONT)) {
            query = route.recorder().begin(trace, queryClass);
        } else if (route.is(Role.COMPONENT) && claims.isOfQuery()) {
            call = route.recorder().invoked(config, trace, isReplay, repeatable);
        }
        if (streams) {
            forward();
        } else {
            checkMemoCache();
        }
    }

    private static long length(MultiMap headers) {
        String length = headers.get(HttpHeaders.CONTENT_LENGTH);
        return length == null ? 0 : Long.parseLong(length);
    }

    /** A replay looks into the memo cache first. */
    private void checkMemoCache() {
        if (over) {
            return;
        }
        if (isRecorded() || isReplay) {
            memoKey =
                    Optional.of(
                            MemoKey.of(
                                    route.secret(),
                                    trace.traceId(),
                                    config.name(),
                                    request.method().name(),
                                    target,
                                    route.gateway().trust().credentialHeaders().stream()
                                            .map(request.headers()::getAll)
                                            .toList(),
                                    body == null ? new byte[0] : body.getBytes()));
        }
        if (!isReplay || !repeatable || !config.memoize()) {
            forward();
            return;
        }
        var unused =
                route.recorder()
                        .memo()
                        .get(memoKey.orElseThrow())
                        .whenComplete(
                                (found, failure) ->
                                        context.runOnContext(
                                                v -> {
                                                    if (failure == null && found.isPresent()) {
                                                        giveAgain(found.get());
                                                    } else {
                                                        forward();
                                                    }
                                                }));
    }

    private void giveAgain(RecordedResponse found) {
        if (over) {
            return;
        }
        route.counts().count(Event.REPLAYED);
        call.ifPresent(ComponentCall::served);
        response.setStatusCode(found.status());
        found.headers().forEach(h -> response.headers().add(h.getKey(), h.getValue()));
        finish(Optional.of(found.status()));
        response.end(Buffer.buffer(found.body()));
    }

    private void forward() {
        if (over) {
            return;
        }
        if (requestIsWhole) {
            waitForResponse();
        }
        retriesLeft = repeatable ? config.arbitration().retries() : 0;
        int factor =
                repeatable && !isReplay
                        ? Math.min(
                                route.control().factor(config.tier()),
                                Math.min(
                                        config.arbitration().mostCopies(),
                                        route.arbitration().servers()))
                        : 1;
        dispatch(factor);
    }

    private void waitForResponse() {
        timer = loop.vertx().setTimer(config.timeouts().responseMillis(), t -> timeout());
    }

    private void dispatch(int factor) {
        round = new Round(factor == 1);
        round.id = route.arbitration().request(round, factor);
        if (factor > 1 && config.arbitration().hedgeMillis() > 0) {
            loop.vertx()
                    .setTimer(route.arbitration().hedgeMillis(), t -> route.arbitration().timer());
        }
    }

    private void onContext(Runnable task) {
        if (Vertx.currentContext() == context) {
            task.run();
        } else {
            context.runOnContext(v -> task.run());
        }
    }

    /** Whether the response is wanted although nobody waits for it. */
    private boolean isRecorded() {
        return call.filter(ComponentCall::isRecorded).isPresent();
    }

    /** Whether the body of a response is to be kept as it passes. */
    private boolean collects() {
        return isRecorded()
                || call.filter(ComponentCall::wantsBody).isPresent()
                || query.filter(q -> route.recorder().wantsBody(q, config)).isPresent();
    }

    /** Copies that were dealt out together. */
    private final class Round implements Copies {
        final boolean single;
        final Map<Integer, Attempt> attempts = new HashMap<>(2);
        long id;

        Round(boolean single) {
            this.single = single;
        }

        @Override
        public void send(long id, int index, int server) {
            onContext(
                    () -> {
                        Attempt attempt = new Attempt(this, id, index, server);
                        attempts.put(index, attempt);
                        attempt.start();
                    });
        }

        @Override
        public void cancel(int index) {
            onContext(() -> attempts.get(index).cancel(AttemptEnd.CANCELLED));
        }

        @Override
        public void respond(int index, boolean failed) {
            onContext(() -> decided(this, attempts.get(index), failed));
        }

        boolean isOver() {
            return attempts.values().stream().allMatch(attempt -> attempt.ended);
        }

        void breakOff(AttemptEnd end) {
            List.copyOf(attempts.values()).forEach(attempt -> attempt.cancel(end));
        }
    }

    /** What the arbiter says the answer is; of a single copy it has been relayed by then. */
    private void decided(Round of, Attempt attempt, boolean failed) {
        if (of != round || over || relayed != null) {
            return;
        }
        if (attempt.isWhole()) {
            relay(attempt);
            finishRelayed(attempt);
        } else if (failed && retriesLeft > 0 && !timedOut) {
            retriesLeft--;
            route.counts().count(Event.RETRIES);
            dispatch(1);
        } else if (failed) {
            route.counts().count(Event.UNANSWERED);
            call.ifPresent(ComponentCall::failed);
            drop();
            fail(502, "no server answered");
        }
    }

    private void timeout() {
        timer = NO_TIMER;
        if (over || relayed != null) {
            return;
        }
        timedOut = true;
        unanswered = true;
        route.counts().count(Event.TIMED_OUT);
        drop();
        call.ifPresent(ComponentCall::abandoned);
        fail(504, "no server answered in time");
        endAttempts(AttemptEnd.FAILED);
    }

    private void drop() {
        if (ticket != null) {
            ticket.dropped();
            ticket = null;
        }
    }

    private void fail(int status, String why) {
        finish(Optional.of(status));
        query.ifPresent(q -> recordAnswer(q, status, Optional.empty()));
        respond(status, why);
    }

    /** The caller went away. */
    private void gone() {
        if (over) {
            return;
        }
        route.counts().count(Event.ABANDONED);
        unanswered = true;
        call.ifPresent(ComponentCall::abandoned);
        if (relayed != null) {
            relayed.in.resume();
        }
        finish(Optional.empty());
        query.ifPresent(route.recorder()::end);
        endAttempts(AttemptEnd.CANCELLED);
    }

    /** Nobody waits for a response; unless it is recorded, the servers need not work on it. */
    private void endAttempts(AttemptEnd end) {
        if (round == null) {
            call.ifPresent(ComponentCall::failed);
        } else if (isRecorded()) {
            lateTimer = loop.vertx().setTimer(call.orElseThrow().leftMillis(), t -> giveUp(end));
        } else {
            giveUp(end);
        }
    }

    private void giveUp(AttemptEnd end) {
        route.arbitration().abandoned(round.id);
        round.breakOff(end);
        call.ifPresent(ComponentCall::failed);
    }

    private void relay(Attempt attempt) {
        relayed = attempt;
        cancelTimer();
        HttpClientResponse in = attempt.in;
        response.setStatusCode(in.statusCode());
        ForwardedHeaders.copy(in.headers(), response.headers());
        response.headers().add("Via", version(in.version()) + " kipimo");
        if (route.isDraining()) {
            closeAfterwards();
        }
        boolean bodiless =
                request.method().equals(HttpMethod.HEAD)
                        || in.statusCode() == 204
                        || in.statusCode() == 304;
        if (!bodiless && !response.headers().contains(HttpHeaders.CONTENT_LENGTH)) {
            response.setChunked(true);
        }
        unsent = declaredLength(in);
        if (attempt.collected != null && attempt.collected.length() > 0 && !bodiless) {
            pass(attempt.collected);
        }
    }

    /** What the response says of its length, bytes; {@link #UNKNOWN} if nothing. */
    private static long declaredLength(HttpClientResponse in) {
        String length = in.getHeader(HttpHeaders.CONTENT_LENGTH);
        return length == null ? UNKNOWN : Long.parseLong(length);
    }

    /**
     * Sends a piece of the body. The piece that completes a body of declared length waits for
     * {@link #finishRelayed}: with it the caller goes on, and its answer must not overtake the
     * record of this response.
     */
    private void pass(Buffer piece) {
        if (unsent != UNKNOWN) {
            unsent -= piece.length();
            if (unsent <= 0) {
                lastPiece = lastPiece == null ? piece : lastPiece.copy().appendBuffer(piece);
                return;
            }
        }
        response.write(piece);
    }

    private static String version(HttpVersion version) {
        return switch (version) {
            case HTTP_1_0 -> "1.0";
            case HTTP_1_1 -> "1.1";
            case HTTP_2 -> "2";
        };
    }

    /** All of the response has passed. */
    private void finishRelayed(Attempt attempt) {
        serverIsDone(attempt);
        call.ifPresent(c -> c.returned(attempt.in.statusCode(), attempt.recorded(), memoKey));
        finish(Optional.of(attempt.in.statusCode()));
        query.ifPresent(q -> recordAnswer(q, attempt.in.statusCode(), attempt.recorded()));
        if (lastPiece == null) {
            response.end();
        } else {
            response.end(lastPiece);
        }
    }

    /** What is still to come takes as long as the caller takes to read it. */
    private void serverIsDone(Attempt attempt) {
        if (attempt.in.statusCode() == 503 || attempt.in.statusCode() == 504) {
            drop();
        } else if (ticket != null) {
            ticket.answered();
            ticket = null;
        }
    }

    private void recordAnswer(FrontQuery front, int status, Optional<RecordedResponse> recorded) {
        long micros = (System.nanoTime() - startNanos) / 1_000;
        route.replays().answered(micros);
        boolean isDegraded = route.recorder().answered(front, config, status, recorded);
        if (!front.isSampled()) {
            return;
        }
        settle(route, front, isDegraded ? kept(front) : Optional.empty());
    }

    /** The query as it came, if it is to be run once more and there is room until then. */
    private Optional<ReplayRequest> kept(FrontQuery front) {
        return Optional.of(
                        new ReplayRequest(front, request.method(), target, headers(request), body))
                .filter(route.replays()::keep);
    }

    /** Static, for late responses are not to be waited for with all that the exchange holds. */
    private static void settle(Route route, FrontQuery front, Optional<ReplayRequest> again) {
        front.whenSettled(
                () -> {
                    route.recorder().end(front);
                    again.ifPresent(request -> route.replays().offer(route, request));
                });
    }

    /**
     * The caller has its answer, or does not want it any more.
     *
     * @param status empty: it went away
     */
    private void finish(Optional<Integer> status) {
        over = true;
        cancelTimer();
        if (ticket != null) {
            ticket.ignored();
            ticket = null;
        }
        status.ifPresent(route.counts()::status);
        if (status.isEmpty()) {
            route.front().timedOut(arrival);
        } else if (status.get() >= 500) {
            route.front().failed(arrival);
        } else {
            route.front().completed(arrival);
        }
        route.left();
        giveBuffersBack();
        if (streams) {
            // What still comes is read and dropped.
            request.resume();
        }
    }

    private void cancelTimer() {
        if (timer != NO_TIMER) {
            loop.vertx().cancelTimer(timer);
            timer = NO_TIMER;
        }
    }

    private void respond(int status, String why) {
        if (!response.ended() && !response.closed()) {
            response.setStatusCode(status)
                    .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
                    .end(why + '\n');
        }
    }

    /** Headers as they go to a server. */
    private MultiMap headers(HttpServerRequest from) {
        MultiMap headers = HttpHeaders.headers();
        ForwardedHeaders.copy(from.headers(), headers);
        headers.remove(HttpHeaders.EXPECT);
        if (!headers.contains(HttpHeaders.HOST) && from.authority() != null) {
            headers.set(HttpHeaders.HOST, from.authority().toString());
        }
        ForwardedHeaders.addOrigin(
                headers,
                caller(),
                from.scheme(),
                headers.get(HttpHeaders.HOST),
                version(from.version()));
        claims.apply(headers, config.classHeader());
        if (!route.is(Role.TIER) && !headers.contains(TraceParent.HEADER)) {
            // Its caller had it taken away, by naming it in Connection.
            headers.set(TraceParent.HEADER, trace.format());
        }
        return headers;
    }

    /** A response that has been read whole. */
    static RecordedResponse recorded(HttpClientResponse in, Buffer body) {
        MultiMap headers = HttpHeaders.headers();
        ForwardedHeaders.copy(in.headers(), headers);
        List<Map.Entry<String, String>> list = new ArrayList<>(headers.entries().size());
        headers.forEach(header -> list.add(Map.entry(header.getKey(), header.getValue())));
        return new RecordedResponse(in.statusCode(), list, body.getBytes());
    }

    /** A copy at a server. */
    private final class Attempt {
        private final Round of;
        private final long id;
        private final int index;
        private final int server;
        private HttpClientRequest out;
        private HttpClientResponse in;

        /** What came of the body; null: it is not kept, or became too large. */
        private Buffer collected;

        private boolean ended;
        private boolean whole;

        Attempt(Round of, long id, int index, int server) {
            this.of = of;
            this.id = id;
            this.index = index;
            this.server = server;
        }

        boolean isWhole() {
            return whole;
        }

        Optional<RecordedResponse> recorded() {
            return collects() && collected != null && whole
                    ? Optional.of(Exchange.recorded(in, collected))
                    : Optional.empty();
        }

        void start() {
            if (ended) {
                return;
            }
            if (over && !isRecorded()) {
                cancel(AttemptEnd.CANCELLED);
                return;
            }
            route.counts().count(Event.COPIES);
            var address = config.servers().get(server);
            loop.client(route)
                    .request(
                            new RequestOptions()
                                    .setMethod(request.method())
                                    .setHost(address.host())
                                    .setPort(address.port())
                                    .setURI(target)
                                    .setHeaders(headers(request)))
                    .onSuccess(this::opened)
                    .onFailure(e -> failed());
        }

        private void opened(HttpClientRequest opened) {
            out = opened;
            out.exceptionHandler(e -> failed());
            if (ended) {
                // Made for nobody: many callers that leave must not leave as many connections.
                out.connection().close();
                return;
            }
            out.response().onSuccess(this::head).onFailure(e -> failed());
            if (streams) {
                stream();
            } else if (body != null) {
                out.end(body);
            } else {
                out.end();
            }
        }

        /**
         * Sends the body as it comes. If it breaks off, so does the server's request: it never gets
         * an end that the caller did not send.
         */
        private void stream() {
            out.setChunked(length < 0);
            request.handler(
                    chunk -> {
                        streamedBytes += chunk.length();
                        if (ended || (streamedBytes == length && !isLast())) {
                            return;
                        }
                        out.write(chunk);
                        if (out.writeQueueFull()) {
                            request.pause();
                            out.drainHandler(v -> request.resume());
                        }
                    });
            request.endHandler(
                    v -> {
                        if (!ended && (length >= 0 || isLast())) {
                            out.end();
                        }
                    });
            request.resume();
        }

        /** The body is there but for what completes it at the server: now it needs a place. */
        private boolean isLast() {
            requestIsWhole = true;
            if (over || relayed != null) {
                return true;
            }
            if (limit().isPresent()) {
                waitForResponse();
                return true;
            }
            finish(Optional.of(503));
            giveUp(AttemptEnd.CANCELLED);
            return false;
        }

        private void head(HttpClientResponse head) {
            if (ended) {
                return;
            }
            in = head;
            if (!of.single || collects()) {
                collected = Buffer.buffer();
            }
            in.handler(this::chunk);
            in.endHandler(v -> end());
            in.exceptionHandler(e -> failed());
            if (of.single && !over) {
                relay(this);
            }
        }

        private void chunk(Buffer chunk) {
            boolean passes = this == relayed && !over;
            if (passes) {
                pass(chunk);
                if (response.writeQueueFull()) {
                    serverIsDone(this);
                    in.pause();
                    response.drainHandler(v -> in.resume());
                }
            }
            if (collected == null || (over && !(unanswered && isRecorded()))) {
                return;
            }
            if (collected.length() + chunk.length() <= route.gateway().record().bodyBytes()
                    && keep(chunk.length())) {
                collected.appendBuffer(chunk);
                return;
            }
            if (!over && relayed == null) {
                collected.appendBuffer(chunk);
                relay(this);
            }
            collected = null;
        }

        private void end() {
            if (ended) {
                return;
            }
            ended = true;
            if (streams) {
                request.resume();
            }
            whole = this != relayed || collected != null;
            boolean failed = in.statusCode() >= 500;
            if (this == relayed && !over) {
                finishRelayed(this);
            } else if (unanswered && isRecorded()) {
                route.counts().count(Event.LATE);
                call.orElseThrow().returned(in.statusCode(), recorded(), memoKey);
                if (of.isOver()) {
                    // Until then it would hold the bodies.
                    loop.vertx().cancelTimer(lateTimer);
                }
            }
            giveBuffersBack();
            route.arbitration().ended(id, index, failed ? AttemptEnd.FAILED : AttemptEnd.COMPLETED);
        }

        private void failed() {
            end(AttemptEnd.FAILED);
        }

        void cancel(AttemptEnd end) {
            if (!ended) {
                end(end);
                if (out != null) {
                    // Whether or not anything has been sent on it.
                    out.connection().close();
                }
            }
        }

        private void end(AttemptEnd end) {
            if (ended) {
                return;
            }
            ended = true;
            if (streams) {
                request.resume();
            }
            if (this == relayed && !over) {
                // Half an answer must not look whole.
                call.ifPresent(ComponentCall::failed);
                route.counts().count(Event.UNANSWERED);
                finish(Optional.of(502));
                query.ifPresent(q -> recordAnswer(q, 502, Optional.empty()));
                response.reset();
            } else if (over && of.single) {
                call.ifPresent(ComponentCall::failed);
            }
            giveBuffersBack();
            route.arbitration().ended(id, index, end);
        }
    }
}
