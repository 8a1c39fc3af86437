package io.kipimo.gateway.proxy;

import io.kipimo.gateway.http.ForwardedHeaders;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/**
 * Passes the response that was chosen on to the caller. The slower side holds the faster one back.
 */
final class Relay {
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final ServerCopy copy;
    private final HttpClientResponse in;
    private final LastPiece lastPiece;

    /** A relay of a copy's response, whose head is there. */
    Relay(HttpServerRequest request, ServerCopy copy) {
        this.request = request;
        this.response = request.response();
        this.copy = copy;
        this.in = copy.response();
        this.lastPiece = new LastPiece(in.getHeader(HttpHeaders.CONTENT_LENGTH));
    }

    boolean isOf(ServerCopy other) {
        return copy == other;
    }

    /**
     * Passes on the head, and what has been kept of the body.
     *
     * @param isLast whether the caller's connection is closed after it
     */
    void begin(CallerResponse caller, boolean isLast) {
        response.setStatusCode(in.statusCode());
        ForwardedHeaders.copy(in.headers(), response.headers());
        response.headers().add("Via", InboundRequest.number(in.version()) + " kipimo");
        if (isLast) {
            caller.closeAfterwards();
        }
        boolean bodiless =
                request.method().equals(HttpMethod.HEAD)
                        || in.statusCode() == 204
                        || in.statusCode() == 304;
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

    /** Passes on a piece of the body; the last one waits for {@link #end} if it is known. */
    void pass(Buffer piece) {
        if (!lastPiece.holdsBack(piece)) {
            response.write(piece);
        }
    }

    /** Whether the caller reads more slowly than the server sends. */
    boolean isCallerSlower() {
        return response.writeQueueFull();
    }

    /** Stops the server until the caller has read what there is. */
    void holdServerBack() {
        in.pause();
        response.drainHandler(v -> in.resume());
    }

    /** The caller has left: the server's response is read to its end all the same. */
    void readOn() {
        in.resume();
    }

    /** All of the response has come, and it has been recorded. */
    void end() {
        if (lastPiece.held() == null) {
            response.end();
        } else {
            response.end(lastPiece.held());
        }
    }

    /** The response broke off: half an answer must not look whole. */
    void breakOff() {
        response.reset();
    }
}
