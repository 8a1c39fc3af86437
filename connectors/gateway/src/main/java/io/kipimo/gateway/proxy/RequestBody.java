package io.kipimo.gateway.proxy;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.BooleanSupplier;

/** The body of a request. */
final class RequestBody {
    private static final long IN_CHUNKS = -1;

    private enum BodyForm {
        NONE,
        KEPT,
        STREAMED
    }

    private final HttpServerRequest request;
    private final BodyForm form;
    private final long length;
    private long streamedBytes;
    private Buffer kept;

    /** Creates the body of a request; a small body reserves room. */
    RequestBody(HttpServerRequest request, KeptBytes room) {
        this.request = request;
        length = length(request);
        if (length == 0) {
            form = BodyForm.NONE;
        } else if (length > 0 && room.take(0, length)) {
            form = BodyForm.KEPT;
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
        return length == null ? 0 : Long.parseLong(length);
    }

    /** Whether the body is read before the request is dispatched, so that it can be sent more than once. */
    boolean isKept() {
        return form == BodyForm.KEPT;
    }

    /** Whether the body is streamed: passed on as it arrives, once. */
    boolean isStreamed() {
        return form == BodyForm.STREAMED;
    }

    /** Reads a kept body. */
    Future<Void> read() {
        return request.body().onSuccess(all -> kept = all).mapEmpty();
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
        request.handler(piece -> {
            streamedBytes += piece.length();
            if (!isOpen.getAsBoolean() || (streamedBytes == length && !mayComplete.getAsBoolean())) {
                return;
            }
            out.write(piece);
            if (out.writeQueueFull()) {
                request.pause();
                out.drainHandler(v -> request.resume());
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
        if (isStreamed()) {
            request.resume();
        }
    }
}
