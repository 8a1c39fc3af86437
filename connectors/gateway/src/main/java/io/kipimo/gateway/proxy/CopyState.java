package io.kipimo.gateway.proxy;

/** How far one copy of a request is at its server. */
enum CopyState {
    /** The head of the response has not come. */
    SENT,
    /** The head of the response is there, its body is not. */
    RESPONDING,
    /** The response has come whole. */
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

    /** Whether another request may follow on the connection to the server. */
    boolean leavesConnectionReusable() {
        return this == COMPLETE;
    }
}
