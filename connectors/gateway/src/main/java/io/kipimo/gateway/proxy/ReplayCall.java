package io.kipimo.gateway.proxy;

import io.kipimo.core.arbitration.AttemptEnd;
import io.kipimo.gateway.arbitration.Copies;
import io.kipimo.gateway.config.Address;
import io.kipimo.gateway.http.TraceState;
import io.kipimo.gateway.record.RecordedResponse;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.RequestOptions;

/** A query that is run once more: one copy, to whichever front end's turn it is. */
final class ReplayCall implements Copies {
    private final Loop loop;
    private final Route route;
    private final ReplayRequest replay;
    private final Promise<RecordedResponse> done;
    private final Context context;

    ReplayCall(Loop loop, Route route, ReplayRequest replay, Promise<RecordedResponse> done) {
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
                                        response -> {
                                            end(id, index, AttemptEnd.COMPLETED);
                                            done.tryComplete(response);
                                        })
                                .onFailure(
                                        failure -> {
                                            end(id, index, AttemptEnd.FAILED);
                                            done.tryFail(failure);
                                        }));
    }

    private void end(long id, int index, AttemptEnd end) {
        route.arbitration().ended(id, index, end);
    }

    private Future<RecordedResponse> ask(int server) {
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
        return loop.client(route).request(options).compose(this::send).compose(ReplayCall::read);
    }

    private Future<HttpClientResponse> send(HttpClientRequest request) {
        return replay.body() == null ? request.send() : request.send(replay.body());
    }

    private static Future<RecordedResponse> read(HttpClientResponse response) {
        return response.body().map(body -> Exchange.recorded(response, body));
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
