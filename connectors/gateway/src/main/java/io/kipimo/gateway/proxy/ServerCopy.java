package io.kipimo.gateway.proxy;

import io.kipimo.core.arbitration.AttemptEnd;
import io.kipimo.gateway.grpc.GrpcCall;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;

/** One copy of a request at one server. */
final class ServerCopy {
    /** Receives the progress of copies, on the exchange's event loop. */
    interface CopyOwner {
        /** Called when the head of the response has arrived. */
        void onHead(ServerCopy copy);

        /** Called when a piece of the response's body has arrived. */
        void onPiece(ServerCopy copy, Buffer piece);

        /** Called when the response is whole. */
        void onComplete(ServerCopy copy);

        /** Called when it is clear that no whole response will arrive. */
        void onBroken(ServerCopy copy, AttemptEnd end);

        /** Whether the server may receive the end of a streamed request body. */
        boolean mayCompleteBody();
    }

    private final CopyOwner owner;
    private final long requestId;
    private final int index;
    private final int server;
    private final boolean isOnly;
    private CopyState state = CopyState.SENT;
    private HttpClientRequest out;
    private HttpClientResponse in;

    /** Body of the response; null: it is not kept, or is too large. */
    private KeptBody body;

    /**
     * Creates a copy.
     *
     * @param requestId id that the arbiter gave to the request
     * @param index index of the copy, from 0
     * @param server index of the server
     * @param isOnly whether the request was dispatched as one copy
     */
    ServerCopy(CopyOwner owner, long requestId, int index, int server, boolean isOnly) {
        this.owner = owner;
        this.requestId = requestId;
        this.index = index;
        this.server = server;
        this.isOnly = isOnly;
    }

    long requestId() {
        return requestId;
    }

    int index() {
        return index;
    }

    int server() {
        return server;
    }

    boolean isOnly() {
        return isOnly;
    }

    boolean hasEnded() {
        return state.hasEnded();
    }

    HttpClientResponse response() {
        return in;
    }

    /** HTTP status of the response. For a whole gRPC call, the one that corresponds to the call's own status. */
    int status() {
        return state == CopyState.COMPLETE ? GrpcCall.status(in) : in.statusCode();
    }

    KeptBody body() {
        return body;
    }

    /** Whether the whole response has arrived and its body is kept. */
    boolean isWhole() {
        return state == CopyState.COMPLETE && body != null;
    }

    void keepBody(KeptBytes room) {
        body = new KeptBody(room);
    }

    void dropBody() {
        body = null;
    }

    void send(Future<HttpClientRequest> opening, RequestBody requestBody) {
        opening.onSuccess(opened -> opened(opened, requestBody)).onFailure(e -> breakOff(AttemptEnd.FAILED));
    }

    private void opened(HttpClientRequest opened, RequestBody requestBody) {
        out = opened;
        out.exceptionHandler(e -> breakOff(AttemptEnd.FAILED));
        if (state.hasEnded()) {
            // Otherwise each caller that leaves would leave a connection open.
            closeConnection();
            return;
        }
        out.response().onSuccess(this::head).onFailure(e -> breakOff(AttemptEnd.FAILED));
        requestBody.send(out, () -> !state.hasEnded(), owner::mayCompleteBody);
    }

    private void head(HttpClientResponse head) {
        if (state.hasEnded()) {
            return;
        }
        state = state.head();
        in = head;
        in.handler(piece -> owner.onPiece(this, piece));
        in.endHandler(v -> complete());
        in.exceptionHandler(e -> breakOff(AttemptEnd.FAILED));
        owner.onHead(this);
    }

    private void complete() {
        if (!state.hasEnded()) {
            state = state.complete();
            owner.onComplete(this);
        }
    }

    private void breakOff(AttemptEnd end) {
        if (!state.hasEnded()) {
            state = state.breakOff();
            owner.onBroken(this, end);
        }
    }

    /** Ends the copy and aborts its request, whether or not the request has been sent. */
    void cancel(AttemptEnd end) {
        if (!state.hasEnded()) {
            breakOff(end);
            closeConnection();
        }
    }

    private void closeConnection() {
        if (out != null && !state.leavesConnectionReusable()) {
            GrpcCall.abort(out);
        }
    }
}
