package io.kipimo.gateway.arbitration;

/**
 * A request whose copies the arbiter dispatches. Any thread may call; each implementation switches to its own thread.
 */
public interface Copies {
    /**
     * Sends a copy.
     *
     * @param id id of the request, for {@link SharedArbiter#ended}
     * @param index index of the copy, from 0
     * @param server index of the server
     */
    void send(long id, int index, int server);

    /** Cancels a copy, and reports its end. */
    void cancel(int index);

    /**
     * Answers the request with the response of a copy. If all copies failed, answers with the failure of the last one.
     *
     * @param index of the copy whose response or failure is the answer
     * @param failed whether all copies failed
     */
    void respond(int index, boolean failed);
}
