package io.kipimo.gateway.proxy;

import io.kipimo.gateway.config.Role;
import io.kipimo.gateway.http.RequestCheck;
import io.kipimo.gateway.metrics.RouteCounts.Fault;
import io.kipimo.gateway.metrics.RouteCounts.RouteEvent;
import io.kipimo.gateway.trust.Claims;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Admits a request, or answers it: 4xx or 501 if it is malformed, 429 if the admitted fraction of its class is full,
 * 503 if too many requests are under way.
 *
 * <p>Requests that {@code only} does not name are no queries: the admitted fraction does not apply to them.
 *
 * <p>A small body is read before a place under the local limit is taken. For a streamed body a place must be free now,
 * but it is taken only with the last byte. So a slow caller occupies no place.
 */
record Admission(Route route, HttpServerRequest request, CallerResponse response) {
    /**
     * Runs the admission.
     *
     * @param next gets the request if it is admitted, now or when its body has been read
     */
    void admit(Consumer<InboundRequest> next) {
        Optional<RequestCheck.Refusal> refusal =
                RequestCheck.check(request.version(), request.method(), request.uri(), request.headers());
        if (refusal.isPresent()) {
            response.refuse(refusal.get());
            return;
        }
        String target = RequestCheck.target(request.uri()).orElse(request.uri());
        Claims claims = route.trust().claims(request.headers(), caller(), System.currentTimeMillis());
        response.ignoreExceptions();
        boolean isQuery = route.config().only().isEmpty()
                || route.config().mayRepeat(request.method().name(), target);
        if (route.is(Role.FRONT) && isQuery) {
            route.control().offered(claims.queryClass(), claims.cost());
        }
        if (!route.config().admits() || !isQuery) {
            readBody(target, claims, isQuery, next);
        } else if (claims.isTrusted() || route.config().only().isEmpty()) {
            byFraction(target, claims, null)
                    .ifPresentOrElse(admitted -> readBody(target, admitted, true, next), () -> shed(claims));
        } else {
            // A search is in its body: without it all searches of a caller would be one query.
            readBody(target, claims, true, read -> byFraction(
                            target, claims, read.body().kept())
                    .ifPresentOrElse(admitted -> next.accept(read.with(admitted)), () -> {
                        read.place().ignored();
                        read.kept().release();
                        read.body().drain();
                        shed(claims);
                    }));
        }
    }

    private void shed(Claims claims) {
        response.shed(
                RouteEvent.SHED_BY_ADMISSION,
                429,
                "shed: the admitted fraction of its class is full",
                claims.queryClass());
    }

    /**
     * Decides by the admitted fraction of the class. The draw uses the trace id of a trusted request; for other
     * requests it uses a key that their caller cannot compute.
     *
     * @param body null: none, or it is not part of the query
     * @return claims of the admitted request; empty: it is shed
     */
    private Optional<Claims> byFraction(String target, Claims claims, Buffer body) {
        String queryClass = claims.queryClass();
        if (claims.isTrusted()) {
            return route.control().admits(queryClass, claims.trace().traceId(), claims.cost())
                    ? Optional.of(claims)
                    : Optional.empty();
        }
        String draw = route.trust()
                .draw(
                        request.headers(),
                        caller(),
                        request.method().name(),
                        target,
                        body == null ? new byte[0] : body.getBytes(),
                        System.currentTimeMillis());
        return route.control().admits(queryClass, draw, 0)
                ? Optional.of(
                        route.trust().admitted(claims, id -> route.control().admits(queryClass, id, 0)))
                : Optional.empty();
    }

    private void readBody(String target, Claims claims, boolean isQuery, Consumer<InboundRequest> next) {
        KeptBytes kept = new KeptBytes(route);
        RequestBody body =
                new RequestBody(request, kept, isQuery, route.config().clients());
        InboundRequest inbound = new InboundRequest(request, target, claims, body, kept, new Place(route));
        if (!body.isKept()) {
            takePlace(inbound, isQuery, next);
            return;
        }
        body.read().onSuccess(v -> takePlace(inbound, isQuery, next)).onFailure(e -> {
            route.counts().count(RouteEvent.ABANDONED);
            kept.release();
            if (e instanceof RequestBody.TooSlowException) {
                route.counts().count(Fault.SLOW_BODY);
                response.error(408, e.getMessage());
            }
        });
    }

    private void takePlace(InboundRequest inbound, boolean isQuery, Consumer<InboundRequest> next) {
        if (!takesPlace(inbound, response)) {
            inbound.kept().release();
            inbound.body().drain();
            return;
        }
        if (inbound.body().isStreamed() || !isQuery) {
            // Its time says nothing about that of queries.
            inbound.place().ignored();
        }
        next.accept(inbound);
    }

    /** Takes a place under the local limit, or sheds the request. */
    static boolean takesPlace(InboundRequest inbound, CallerResponse response) {
        boolean taken = inbound.place().take(inbound.queryClass());
        if (!taken) {
            response.shed(RouteEvent.SHED_BY_LIMIT, 503, "shed: too many requests are under way", inbound.queryClass());
        }
        return taken;
    }

    private String caller() {
        return request.remoteAddress().hostAddress();
    }
}
