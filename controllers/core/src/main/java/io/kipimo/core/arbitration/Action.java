package io.kipimo.core.arbitration;

/** Instructions of an {@link Arbiter} to its driver, to be carried out in order. */
public sealed interface Action {
    long requestId();

    /**
     * Send a copy.
     *
     * @param index index of the copy within the request, from 0
     */
    record Send(long requestId, int index, int server) implements Action {}

    /** Cancel a copy. The driver reports the end of the copy, as of any other copy. */
    record Cancel(long requestId, int index, int server) implements Action {}

    /**
     * Answer the request, once: with the first response, or with the failure of the last copy.
     *
     * @param winner index of the copy that responded
     * @param latencyMicros time since the request arrived
     */
    record Respond(long requestId, int winner, int server, boolean failed, long latencyMicros) implements Action {}

    /**
     * A copy has ended; for traces and statistics of servers. Error rates and latencies of requests come from
     * {@link Respond} alone, since otherwise every copy would count.
     *
     * @param index index of the copy within the request, from 0
     * @param winner whether the request was answered with this copy's response
     * @param end how the copy ended
     * @param tookMicros time since the copy was sent
     */
    record Attempted(long requestId, int index, int server, boolean winner, AttemptEnd end, long tookMicros)
            implements Action {}
}
