package io.kipimo.gateway.proxy;

import io.kipimo.gateway.config.ListenerConfig;
import io.kipimo.gateway.grpc.GrpcCall;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.function.BooleanSupplier;

/** The body of a request. */
final class RequestBody {
    private static final long IN_CHUNKS = -1;

    private enum BodyForm {
        NONE,
        KEPT,
        /** The length is unknown: the body is kept until it proves too large. */
        OF_UNKNOWN_LENGTH,
        STREAMED
    }

    private final HttpServerRequest request;
    private final KeptBytes room;
    private final ListenerConfig.CallerLimits limits;
    private final long length;
    private BodyForm form;
    private long streamedBytes;
    private Buffer kept;

    /** Bytes of a streamed body that have been read already; null: none. */
    private Buffer begun;

    /** A body did not arrive at the least rate. */
    static final class TooSlowException extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooSlowException() {
            super("the request's body arrives too slowly");
        }
    }

    /**
     * Creates the body of a request; a small body reserves room.
     *
     * @param isQuery whether the request is a query; gRPC calls that are none may stream in both directions
     */
    RequestBody(HttpServerRequest request, KeptBytes room, boolean isQuery, ListenerConfig.CallerLimits limits) {
        this.request = request;
        this.room = room;
        this.limits = limits;
        length = length(request);
        if (length == 0) {
            form = BodyForm.NONE;
        } else if (length > 0 && room.take(0, length)) {
            form = BodyForm.KEPT;
        } else if (length == IN_CHUNKS
                && request.version() == HttpVersion.HTTP_2
                && (isQuery || !GrpcCall.is(request.headers()))) {
            form = BodyForm.OF_UNKNOWN_LENGTH;
        } else {
            form = BodyForm.STREAMED;
            request.pause();
        }
    }

    private static long length(HttpServerRequest request) {
        if (request.headers().contains(HttpHeaders.TRANSFER_ENCODING)) {
            return IN_CHUNKS;
        }
        String length = request.headers().get(HttpHeaders.CONTENT_LENGTH);
        if (length == null) {
            return request.version() == HttpVersion.HTTP_2 && !request.isEnded() ? IN_CHUNKS : 0;
        }
        return Long.parseLong(length);
    }

    /** Whether the body is read before the request is dispatched, so that it can be sent more than once. */
    boolean isKept() {
        return form == BodyForm.KEPT || form == BodyForm.OF_UNKNOWN_LENGTH;
    }

    /** Whether the body is streamed: passed on as it arrives, once. */
    boolean isStreamed() {
        return form == BodyForm.STREAMED;
    }

    /** Reads a kept body. A body of unknown length is streamed as soon as it proves too large to be kept. */
    Future<Void> read() {
        if (form == BodyForm.OF_UNKNOWN_LENGTH) {
            return readUnknown();
        }
        return request.body().onSuccess(all -> kept = all).mapEmpty();
    }

    private Future<Void> readUnknown() {
        Promise<Void> read = Promise.promise();
        Buffer bytes = Buffer.buffer();
        Vertx vertx = Vertx.currentContext().owner();
        long[] before = {0};
        long timer = vertx.setPeriodic(limits.bodyMillis(), t -> {
            if (limits.isTooSlow(limits.bodyMillis(), bytes.length() - before[0])) {
                read.tryFail(new TooSlowException());
            }
            before[0] = bytes.length();
        });
        request.exceptionHandler(read::tryFail);
        request.endHandler(end -> {
            form = bytes.length() == 0 ? BodyForm.NONE : BodyForm.KEPT;
            kept = bytes.length() == 0 ? null : bytes;
            read.tryComplete();
        });
        request.handler(piece -> {
            boolean hasRoom = room.take(bytes.length(), piece.length());
            bytes.appendBuffer(piece);
            if (!hasRoom) {
                request.pause();
                form = BodyForm.STREAMED;
                begun = bytes;
                read.tryComplete();
            }
        });
        return read.future().onComplete(over -> vertx.cancelTimer(timer));
    }

    /** The body after it was read; null: none. */
    Buffer kept() {
        return kept;
    }

    /**
     * Sends the body. If a streamed body breaks off, the request to the server is aborted: the server never receives an
     * end that the caller did not send.
     *
     * @param isOpen whether the server still accepts the body
     * @param mayComplete called once, before the server receives the end of a streamed body
     */
    void send(HttpClientRequest out, BooleanSupplier isOpen, BooleanSupplier mayComplete) {
        if (isStreamed()) {
            stream(out, isOpen, mayComplete);
        } else if (kept != null) {
            out.end(kept);
        } else {
            out.end();
        }
    }

    private void stream(HttpClientRequest out, BooleanSupplier isOpen, BooleanSupplier mayComplete) {
        out.setChunked(length == IN_CHUNKS);
        if (out.version() == HttpVersion.HTTP_2) {
            // A server may answer before the first byte.
            var unused = out.sendHead();
        }
        if (begun != null) {
            out.write(begun);
            begun = null;
        }
        request.handler(piece -> {
            streamedBytes += piece.length();
            if (!isOpen.getAsBoolean() || (streamedBytes == length && !mayComplete.getAsBoolean())) {
                return;
            }
            out.write(piece);
            if (out.writeQueueFull()) {
                request.pause();
                out.drainHandler(v -> drain());
            }
        });
        request.endHandler(v -> {
            if (isOpen.getAsBoolean() && (length != IN_CHUNKS || mayComplete.getAsBoolean())) {
                out.end();
            }
        });
        request.resume();
    }

    /** Reads and discards the rest of the body, so that the connection can be reused. */
    void drain() {
        if (isStreamed() && !request.isEnded()) {
            request.resume();
        }
    }
}
