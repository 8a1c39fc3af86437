package io.kipimo.gateway.proxy;

import io.kipimo.gateway.http.ForwardedHeaders;
import io.kipimo.schemas.completeness.ToldCompleteness;
import io.kipimo.sdk.CompletenessClient;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.Optional;

/** Passes the chosen response on to the caller. Backpressure: the slower side slows the faster one down. */
final class Relay {
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final ServerCopy copy;
    private final HttpClientResponse in;
    private final LastPiece lastPiece;

    /** Creates a relay of a copy's response, whose head has arrived. */
    Relay(HttpServerRequest request, ServerCopy copy) {
        this.request = request;
        this.response = request.response();
        this.copy = copy;
        this.in = copy.response();
        this.lastPiece = new LastPiece(in.getHeader(HttpHeaders.CONTENT_LENGTH));
    }

    ServerCopy copy() {
        return copy;
    }

    boolean isOf(ServerCopy other) {
        return copy == other;
    }

    /**
     * Passes on the head, and the part of the body that was kept.
     *
     * @param isLast whether the caller's connection is closed after the response
     * @param told whether the response is complete; empty: the caller is not told
     */
    void begin(CallerResponse caller, boolean isLast, Optional<ToldCompleteness> told) {
        response.setStatusCode(in.statusCode());
        ForwardedHeaders.copy(in.headers(), response.headers());
        response.headers().add("Via", InboundRequest.number(in.version()) + " kipimo");
        told.ifPresent(one -> response.headers().set(CompletenessClient.HEADER, one.format()));
        if (isLast) {
            caller.closeAfterwards();
        }
        boolean bodiless = request.method().equals(HttpMethod.HEAD) || in.statusCode() == 204 || in.statusCode() == 304;
        if (bodiless) {
            return;
        }
        if (!response.headers().contains(HttpHeaders.CONTENT_LENGTH)) {
            response.setChunked(true);
        }
        KeptBody kept = copy.body();
        if (kept != null && kept.bytes().length() > 0) {
            pass(kept.bytes());
        }
    }

    /** Passes on a piece of the body. The last piece, if it is known to be the last, waits for {@link #end}. */
    void pass(Buffer piece) {
        if (!lastPiece.holdsBack(piece)) {
            response.write(piece);
        }
    }

    /** Whether the caller reads more slowly than the server sends. */
    boolean isCallerSlower() {
        return response.writeQueueFull();
    }

    /** Pauses the server until the caller has read the pending bytes. */
    void holdServerBack() {
        in.pause();
        response.drainHandler(v -> in.resume());
    }

    /** The caller has left: reads the rest of the server's response without passing it on. */
    void readOn() {
        in.resume();
    }

    /** Ends the response, after all of it has arrived and been recorded. */
    void end() {
        if (request.version() == HttpVersion.HTTP_2 && !in.trailers().isEmpty()) {
            ForwardedHeaders.copy(in.trailers(), response.trailers());
        }
        if (lastPiece.held() == null) {
            response.end();
        } else {
            response.end(lastPiece.held());
        }
    }

    /** Aborts the response, so that a partial answer does not look whole. */
    void breakOff() {
        response.reset();
    }
}
