package io.kipimo.loadgen.squeeze;

import java.io.IOException;

/** The load balancer's side of a squeeze. */
public interface Steering {
    /** What the server is given before anything is done, more than 0, less than 1. */
    double firstShare();

    /**
     * Gives the server a share of the traffic.
     *
     * @return what was really given
     * @throws IOException if that may not have come to pass
     */
    double give(double share) throws IOException;

    /**
     * Everything as it was at first.
     *
     * @throws IOException if that may not have come to pass
     */
    void restore() throws IOException;

    /** Whether all other servers are in service. */
    boolean restIsUp() throws IOException;
}
