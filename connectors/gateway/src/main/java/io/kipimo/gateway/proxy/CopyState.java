package io.kipimo.gateway.proxy;

/** Progress of one copy of a request at its server. */
enum CopyState {
    /** Waiting for the head of the response. */
    SENT,
    /** The head of the response has arrived, its body has not. */
    RESPONDING,
    /** The whole response has arrived. */
    COMPLETE,
    /** The server failed, or the copy was cancelled. */
    BROKEN;

    CopyState head() {
        if (this != SENT) {
            throw new IllegalStateException("copy is " + this + ", not " + SENT);
        }
        return RESPONDING;
    }

    CopyState complete() {
        if (this != RESPONDING) {
            throw new IllegalStateException("copy is " + this + ", not " + RESPONDING);
        }
        return COMPLETE;
    }

    CopyState breakOff() {
        if (hasEnded()) {
            throw new IllegalStateException("copy is " + this + ", not under way");
        }
        return BROKEN;
    }

    boolean hasEnded() {
        return this == COMPLETE || this == BROKEN;
    }

    /** Whether the connection to the server may carry another request. */
    boolean leavesConnectionReusable() {
        return this == COMPLETE;
    }
}
