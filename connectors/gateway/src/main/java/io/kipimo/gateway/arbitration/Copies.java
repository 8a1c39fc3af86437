package io.kipimo.gateway.arbitration;

/**
 * A request whose copies are dealt out. Called by any thread; each implementation hops to its own.
 */
public interface Copies {
    /**
     * Send a copy.
     *
     * @param id of the request, for {@link SharedArbiter#ended}
     * @param index of the copy, from 0
     * @param server index
     */
    void send(long id, int index, int server);

    /** Break off a copy, and say when it has ended. */
    void cancel(int index);

    /**
     * Answer with this copy's response, or with its failure.
     *
     * @param failed no copy brought a response
     */
    void respond(int index, boolean failed);
}
