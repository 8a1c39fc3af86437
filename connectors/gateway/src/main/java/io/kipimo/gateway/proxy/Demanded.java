package io.kipimo.gateway.proxy;

import io.kipimo.gateway.grpc.GrpcCall;
import io.kipimo.gateway.grpc.GrpcMessages;
import io.kipimo.gateway.http.ContentCodings;
import io.kipimo.gateway.http.Parameters;
import io.kipimo.gateway.record.Demand;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;

/** Determines what the answer to a request must have to be evidence. */
final class Demanded {
    private static final byte[] NOTHING = {};

    private Demanded() {}

    /**
     * What the answer must have, by the request as it is sent. The rules are equal for a query and its replay.
     *
     * @param body null: none
     */
    static Demand by(Route route, String target, MultiMap headers, Buffer body) {
        return route.recorder()
                .demand(
                        route.config(),
                        target,
                        headers.getAll(GrpcCall.is(headers) ? GrpcMessages.ENCODING : ContentCodings.HEADER),
                        Parameters.isForm(headers.get(HttpHeaders.CONTENT_TYPE)),
                        body == null ? NOTHING : body.getBytes(),
                        route.index(target, headers));
    }
}
