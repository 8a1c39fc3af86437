package io.kipimo.gateway.proxy;

/** Progress of an exchange from its caller's view. */
enum ExchangePhase {
    /** No response has been chosen. */
    WAITING,
    /** The chosen response is passed on. */
    RELAYING,
    /** The caller has received all that it gets, which may be an error. */
    ANSWERED,
    /** The caller left, or the response took too long. A late response may still be recorded. */
    UNANSWERED;

    /** The phase after a response is chosen. */
    ExchangePhase relay() {
        if (this != WAITING) {
            throw new IllegalStateException("exchange is " + this + ", not " + WAITING);
        }
        return RELAYING;
    }

    /** The phase after the caller has received the end of a response, an error, or a broken connection. */
    ExchangePhase answer() {
        return end(ANSWERED);
    }

    /** The phase after the caller left, or the response took too long. */
    ExchangePhase leave() {
        return end(UNANSWERED);
    }

    private ExchangePhase end(ExchangePhase to) {
        if (isOver()) {
            throw new IllegalStateException("exchange is " + this + ", not under way");
        }
        return to;
    }

    /** Whether the caller gets nothing more. */
    boolean isOver() {
        return this == ANSWERED || this == UNANSWERED;
    }

    /**
     * Whether a copy's response is still needed.
     *
     * @param recordsLate whether a response is recorded although the caller has left
     */
    boolean wantsResponse(boolean recordsLate) {
        return !isOver() || isLate(recordsLate);
    }

    /** Whether a response that ends now is recorded as a late one. */
    boolean isLate(boolean recordsLate) {
        return this == UNANSWERED && recordsLate;
    }
}
