package io.kipimo.gateway.proxy;

import io.kipimo.core.arbitration.AttemptEnd;
import io.kipimo.gateway.arbitration.Copies;
import io.kipimo.gateway.config.ReplayConfig;
import io.kipimo.gateway.grpc.GrpcCall;
import io.kipimo.gateway.http.TraceState;
import io.kipimo.gateway.metrics.RouteCounts.RouteEvent;
import io.kipimo.gateway.record.Demand;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.RequestOptions;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * A replay of a query: one copy, to the front end that the arbiter chooses. It fails when the query expires
 * ({@code record.expiration} after its start), or an engine needs longer than {@code replay.timeout}, even if a part of
 * the answer has arrived.
 */
final class ReplayCall implements Copies {
    private final ProxyVerticle loop;
    private final Route route;
    private final ReplayRequest replay;
    private final Promise<ReplayAnswer> done;
    private final Context context;
    private final KeptBytes kept;
    private final ExchangeTimer deadline;
    private final long expiresMillis;
    private long id;

    /** The query as it is sent: without its limits, if an engine is asked. */
    private ReplayRequest sends;

    /** Request to the front end; null until its connection is there. */
    private HttpClientRequest sent;

    ReplayCall(ProxyVerticle loop, Route route, ReplayRequest replay, Promise<ReplayAnswer> done) {
        this.loop = loop;
        this.route = route;
        this.replay = replay;
        this.done = done;
        this.context = loop.vertx().getOrCreateContext();
        this.kept = new KeptBytes(route);
        this.deadline = new ExchangeTimer(loop.vertx());
        this.expiresMillis =
                replay.query().startedAtMillis() + route.gateway().record().expirationMillis();
    }

    void run() {
        try {
            sends = Unlimited.of(replay, route);
        } catch (IllegalArgumentException e) {
            done.fail(e);
            return;
        }
        long leftMillis = Math.max(1, expiresMillis - System.currentTimeMillis());
        long mostMillis =
                route.config().replay().map(ReplayConfig::timeoutMillis).orElse(Long.MAX_VALUE);
        deadline.start(
                Math.min(leftMillis, mostMillis),
                () -> giveUp(
                        mostMillis < leftMillis
                                ? new ReplayTimeoutException(mostMillis)
                                : new TimeoutException("the query expired before its replay ended")));
        id = route.arbitration().request(this, 1);
    }

    /** Ends the replay with a failure. Aborting its request tells an engine to stop. */
    private void giveUp(TimeoutException why) {
        if (done.tryFail(why)) {
            route.arbitration().abandoned(id);
            if (sent != null) {
                GrpcCall.abort(sent);
            }
        }
    }

    @Override
    public void send(long id, int index, int server) {
        context.runOnContext(v -> call(server)
                .onSuccess(answer -> {
                    end(id, index, AttemptEnd.COMPLETED);
                    done.tryComplete(answer);
                })
                .onFailure(failure -> {
                    end(id, index, AttemptEnd.FAILED);
                    done.tryFail(failure);
                })
                // The answer has been recorded by now.
                .onComplete(over -> kept.release()));
    }

    private void end(long id, int index, AttemptEnd end) {
        deadline.cancel();
        route.arbitration().ended(id, index, end);
    }

    private Future<ReplayAnswer> call(int server) {
        MultiMap headers = HttpHeaders.headers();
        headers.addAll(sends.headers());
        route.gateway().record().withoutHeaders().forEach(headers::remove);
        String token = route.trust().replayToken(replay.query().trace().traceId(), expiresMillis);
        headers.set(
                TraceState.HEADER,
                TraceState.parse(headers.getAll(TraceState.HEADER))
                        .orElse(TraceState.EMPTY)
                        .with(token)
                        .format());
        RequestOptions options = new RequestOptions()
                .setMethod(sends.method())
                .setURI(sends.target())
                .setHeaders(headers)
                .setTimeout(route.config().timeouts().responseMillis());
        route.counts().count(RouteEvent.SENT_QUERIES);
        return loop.open(route, server, options)
                .compose(request -> send(request, sends.body()))
                .compose(this::read);
    }

    private Future<HttpClientResponse> send(HttpClientRequest request, Buffer body) {
        sent = request;
        if (done.future().isComplete()) {
            GrpcCall.abort(request);
            return Future.failedFuture(done.future().cause());
        }
        return body == null ? request.send() : request.send(body);
    }

    /** Reads the answer, and aborts one that is too large to be kept. */
    private Future<ReplayAnswer> read(HttpClientResponse response) {
        Promise<ReplayAnswer> read = Promise.promise();
        KeptBody body = new KeptBody(kept);
        response.handler(piece -> {
            if (read.future().isComplete() || body.add(piece)) {
                return;
            }
            read.complete(new ReplayAnswer(response.statusCode(), Demand.NONE, Optional.empty()));
            GrpcCall.abort(response.request());
        });
        response.endHandler(v -> read.tryComplete(new ReplayAnswer(
                GrpcCall.status(response),
                Demanded.by(route, sends.target(), sends.headers(), sends.body()),
                Optional.of(body.of(response)))));
        response.exceptionHandler(read::tryFail);
        return read.future();
    }

    @Override
    public void cancel(int index) {
        // The only copy needs no cancellation: giveUp() closes its connection.
    }

    @Override
    public void respond(int index, boolean failed) {
        // The end of the only copy has been handled.
    }
}
