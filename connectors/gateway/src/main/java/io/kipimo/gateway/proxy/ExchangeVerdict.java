package io.kipimo.gateway.proxy;

/** Reaction of an exchange to the arbiter's decision on a copy. */
enum ExchangeVerdict {
    /** Relays the copy's response. */
    RELAY,
    /** Sends one more copy. */
    RETRY,
    /** Answers with an error: no copy brought a response. */
    FAIL,
    /** Does nothing: the caller already receives a response, or has left. */
    IGNORE;

    /**
     * The verdict on a copy.
     *
     * @param isWhole whether the copy's response has arrived with its whole body
     * @param failed whether no copy brought a response
     * @param retriesLeft copies that may still be sent after a failure
     */
    static ExchangeVerdict of(ExchangePhase phase, boolean isWhole, boolean failed, int retriesLeft) {
        if (phase != ExchangePhase.WAITING) {
            return IGNORE;
        }
        if (isWhole) {
            return RELAY;
        }
        if (!failed) {
            return IGNORE;
        }
        return retriesLeft > 0 ? RETRY : FAIL;
    }
}
