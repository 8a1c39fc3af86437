package io.kipimo.gateway.proxy;

import io.kipimo.core.arbitration.AttemptEnd;
import io.kipimo.gateway.arbitration.Copies;
import io.kipimo.gateway.config.Address;
import io.kipimo.gateway.http.TraceState;
import io.kipimo.gateway.metrics.RouteCounts.Fault;
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

/** A query that is run once more: one copy, to whichever front end's turn it is. */
final class ReplayCall implements Copies {
    private final ProxyVerticle loop;
    private final Route route;
    private final ReplayRequest replay;
    private final Promise<ReplayAnswer> done;
    private final Context context;

    /** Of {@link Route#buffers}. */
    private long bufferedBytes;

    ReplayCall(ProxyVerticle loop, Route route, ReplayRequest replay, Promise<ReplayAnswer> done) {
        this.loop = loop;
        this.route = route;
        this.replay = replay;
        this.done = done;
        this.context = loop.vertx().getOrCreateContext();
    }

    void run() {
        var unused = route.arbitration().request(this, 1);
    }

    @Override
    public void send(long id, int index, int server) {
        context.runOnContext(
                v ->
                        ask(server)
                                .onSuccess(
                                        answer -> {
                                            end(id, index, AttemptEnd.COMPLETED);
                                            done.tryComplete(answer);
                                        })
                                .onFailure(
                                        failure -> {
                                            end(id, index, AttemptEnd.FAILED);
                                            done.tryFail(failure);
                                        })
                                // Whoever waited has looked into the answer by now.
                                .onComplete(over -> route.buffers().giveBack(bufferedBytes)));
    }

    private void end(long id, int index, AttemptEnd end) {
        route.arbitration().ended(id, index, end);
    }

    private Future<ReplayAnswer> ask(int server) {
        Address address = route.config().servers().get(server);
        MultiMap headers = HttpHeaders.headers();
        headers.addAll(replay.headers());
        route.gateway().record().withoutHeaders().forEach(headers::remove);
        String token =
                route.trust()
                        .replayToken(
                                replay.query().trace().traceId(),
                                replay.query().startedAtMillis()
                                        + route.gateway().record().expirationMillis());
        headers.set(
                TraceState.HEADER,
                TraceState.parse(headers.getAll(TraceState.HEADER))
                        .orElse(TraceState.EMPTY)
                        .with(token)
                        .format());
        RequestOptions options =
                new RequestOptions()
                        .setMethod(replay.method())
                        .setHost(address.host())
                        .setPort(address.port())
                        .setURI(replay.target())
                        .setHeaders(headers)
                        .setTimeout(route.config().timeouts().responseMillis());
        return loop.client(route).request(options).compose(this::send).compose(this::read);
    }

    private Future<HttpClientResponse> send(HttpClientRequest request) {
        return replay.body() == null ? request.send() : request.send(replay.body());
    }

    /** As of any response no more is kept than may be. */
    private Future<ReplayAnswer> read(HttpClientResponse response) {
        Promise<ReplayAnswer> read = Promise.promise();
        Buffer body = Buffer.buffer();
        response.handler(
                chunk -> {
                    if (read.future().isComplete()) {
                        return;
                    }
                    if (keep(body.length(), chunk.length())) {
                        body.appendBuffer(chunk);
                        return;
                    }
                    read.complete(new ReplayAnswer(response.statusCode(), Optional.empty()));
                    response.request().connection().close();
                });
        response.endHandler(
                v ->
                        read.tryComplete(
                                new ReplayAnswer(
                                        response.statusCode(),
                                        Optional.of(Exchange.recorded(response, body)))));
        response.exceptionHandler(read::tryFail);
        return read.future();
    }

    private boolean keep(int before, int bytes) {
        if (before + bytes > route.gateway().record().bodyBytes()) {
            return false;
        }
        if (!route.buffers().take(bytes)) {
            route.counts().count(Fault.NO_ROOM);
            return false;
        }
        bufferedBytes += bytes;
        return true;
    }

    @Override
    public void cancel(int index) {
        // It is the only copy.
    }

    @Override
    public void respond(int index, boolean failed) {
        // Done when it ended.
    }
}
