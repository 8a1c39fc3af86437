package io.kipimo.gateway.proxy;

import io.kipimo.core.quality.merge.AnswerDifference;
import io.kipimo.gateway.grpc.GrpcCall;
import io.kipimo.gateway.metrics.RouteCounts.RouteEvent;
import io.kipimo.gateway.record.Demand;
import io.kipimo.gateway.record.RecordedResponse;
import io.kipimo.schemas.quality.Items;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.util.Optional;

/**
 * Compares the responses of two copies of a request. If they differ, both servers are asked again after a while, each
 * once.
 */
final class ReplicaCheck {
    private final ProxyVerticle loop;
    private final Route route;
    private final String queryId;
    private final HttpMethod method;
    private final String target;
    private final MultiMap headers;
    private final Buffer body;
    private final Demand demand;

    private ReplicaCheck(ProxyVerticle loop, Route route, InboundRequest request, Demand demand) {
        this.loop = loop;
        this.route = route;
        queryId = request.trace().traceId();
        method = request.http().method();
        target = request.target();
        headers = request.headers(route);
        body = request.body().kept();
        this.demand = demand;
    }

    /**
     * Compares two whole responses.
     *
     * @param request as the servers got it
     */
    static void of(ProxyVerticle loop, Route route, InboundRequest request, ServerCopy first, ServerCopy second) {
        Demand demand = Demanded.by(
                route,
                request.target(),
                request.http().headers(),
                request.body().kept());
        Optional<AnswerDifference> difference = compare(
                route, demand, first.body().of(first.response()), second.body().of(second.response()));
        if (difference.isPresent()
                && route.replicas()
                        .compared(request.trace().traceId(), first.server(), second.server(), difference.get())) {
            ReplicaCheck check = new ReplicaCheck(loop, route, request, demand);
            loop.vertx()
                    .setTimer(
                            route.config().arbitration().compareMillis(),
                            t -> check.again(first.server(), second.server(), difference.get()));
        }
    }

    /** Difference between two responses; empty: one of them is no evidence. */
    private static Optional<AnswerDifference> compare(
            Route route, Demand demand, RecordedResponse first, RecordedResponse second) {
        Optional<Items> one = route.recorder().items(route.config(), demand, first);
        Optional<Items> other = route.recorder().items(route.config(), demand, second);
        return one.isPresent() && other.isPresent()
                ? Optional.of(AnswerDifference.of(one.get(), other.get()))
                : Optional.empty();
    }

    private void again(int first, int second, AnswerDifference before) {
        Future<RecordedResponse> one = ask(first);
        Future<RecordedResponse> other = ask(second);
        Future.all(one, other).onComplete(asked -> {
            Optional<AnswerDifference> now =
                    asked.succeeded() ? compare(route, demand, one.result(), other.result()) : Optional.empty();
            if (now.isPresent()) {
                route.replicas().askedAgain(queryId, first, second, before, now.get());
            } else {
                route.replicas().unknown(queryId, first, second, before);
            }
        });
    }

    private Future<RecordedResponse> ask(int server) {
        RequestOptions options = new RequestOptions()
                .setMethod(method)
                .setURI(target)
                .setHeaders(headers)
                .setTimeout(route.config().timeouts().responseMillis());
        route.counts().count(RouteEvent.SENT_QUERIES);
        return loop.open(route, server, options)
                .compose(request -> body == null ? request.send() : request.send(body))
                .compose(this::read);
    }

    private Future<RecordedResponse> read(HttpClientResponse response) {
        KeptBytes room = new KeptBytes(route);
        KeptBody kept = new KeptBody(room);
        response.handler(piece -> {
            if (!kept.add(piece)) {
                GrpcCall.abort(response.request());
            }
        });
        // The time-out of the request is over when the head is there.
        ExchangeTimer deadline = new ExchangeTimer(loop.vertx());
        deadline.start(route.config().timeouts().responseMillis(), () -> GrpcCall.abort(response.request()));
        return response.end().map(v -> kept.of(response)).onComplete(over -> {
            deadline.cancel();
            room.release();
        });
    }
}
