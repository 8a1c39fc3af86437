package io.kipimo.core.arbitration;

/** What the driver of an {@link Arbiter} is to do, in the order given. */
public sealed interface Action {
    long requestId();

    /**
     * Send a copy.
     *
     * @param index of the copy within the request, from 0
     */
    record Send(long requestId, int index, int server) implements Action {}

    /** Cancel a copy, and say when it has ended, as of any other. */
    record Cancel(long requestId, int index, int server) implements Action {}

    /**
     * Answer the request, once: with the first response, or with the failure of the last copy.
     *
     * @param winner index of the copy whose response it is
     * @param latencyMicros since the request came
     */
    record Respond(long requestId, int winner, int server, boolean failed, long latencyMicros)
            implements Action {}

    /**
     * A copy has ended: for traces and statistics of servers. Error rates and latencies of requests
     * are those of {@link Respond} alone, or every copy would count.
     *
     * @param index of the copy within the request, from 0
     * @param winner whether its response was the request's
     * @param end how it ended
     * @param tookMicros since it was sent
     */
    record Attempted(
            long requestId, int index, int server, boolean winner, AttemptEnd end, long tookMicros)
            implements Action {}
}
