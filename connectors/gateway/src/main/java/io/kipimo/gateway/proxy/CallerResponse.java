package io.kipimo.gateway.proxy;

import io.kipimo.gateway.config.EmptyResponse;
import io.kipimo.gateway.config.Role;
import io.kipimo.gateway.grpc.GrpcCall;
import io.kipimo.gateway.http.RequestCheck;
import io.kipimo.gateway.http.RetryAfter;
import io.kipimo.gateway.metrics.RouteCounts.RouteEvent;
import io.kipimo.gateway.record.RecordedResponse;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.concurrent.ThreadLocalRandom;

/** Sends the gateway's own responses: refusals, errors and memos. */
final class CallerResponse {
    private final ProxyVerticle loop;
    private final Route route;
    private final HttpServerRequest request;
    private final HttpServerResponse response;

    CallerResponse(ProxyVerticle loop, Route route, HttpServerRequest request) {
        this.loop = loop;
        this.route = route;
        this.request = request;
        this.response = request.response();
    }

    /** Ignores exceptions of the response. A caller that leaves is not an error; {@link #onClose} handles it. */
    void ignoreExceptions() {
        response.exceptionHandler(e -> {});
    }

    void onClose(Runnable task) {
        response.closeHandler(v -> task.run());
    }

    /** Refuses a malformed request and closes its connection, whose next bytes are unsafe. */
    void refuse(RequestCheck.Refusal refusal) {
        route.counts().count(RouteEvent.REFUSED);
        closeAfterwards();
        error(refusal.status(), refusal.why());
    }

    /** Refuses a request because of overload. */
    void shed(RouteEvent event, int status, String why, String queryClass) {
        route.counts().count(event);
        if (route.is(Role.FRONT)) {
            route.control().rejected(queryClass);
        }
        response.putHeader(RetryAfter.HEADER, RetryAfter.seconds(ThreadLocalRandom.current()));
        error(status, why);
    }

    void error(int status, String why) {
        if (response.ended() || response.closed()) {
            return;
        }
        if (GrpcCall.is(request.headers())) {
            GrpcCall.fail(response, status, why);
        } else {
            response.setStatusCode(status)
                    .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
                    .end(why + '\n');
        }
    }

    void memo(RecordedResponse memo) {
        response.setStatusCode(memo.status());
        memo.headers().forEach(h -> response.headers().add(h.getKey(), h.getValue()));
        response.end(Buffer.buffer(memo.body()));
    }

    /** Answers in place of a component that the query does not ask. */
    void empty(EmptyResponse empty) {
        response.setStatusCode(empty.status());
        if (!empty.body().isEmpty()) {
            response.putHeader(HttpHeaders.CONTENT_TYPE, empty.type());
        }
        response.end(empty.body());
    }

    /** Makes this the last request of its connection. */
    void closeAfterwards() {
        if (request.version() == HttpVersion.HTTP_2) {
            // Its other streams end as they are.
            var unused = request.connection().shutdown();
            return;
        }
        response.putHeader(HttpHeaders.CONNECTION, "close");
        loop.closing(request.connection());
        response.endHandler(v -> request.connection().close());
    }
}
