package io.kipimo.loadgen.squeeze;

import java.io.IOException;

/** The load balancer's side of a squeeze. */
public interface Steering {
    /** The server's share before the squeeze, more than 0, less than 1. */
    double firstShare();

    /**
     * Sets the server's share of the traffic.
     *
     * @return the share that was set
     * @throws IOException if it may not be set
     */
    double give(double share) throws IOException;

    /**
     * Restores the initial shares.
     *
     * @throws IOException if they may not be restored
     */
    void restore() throws IOException;

    /** Whether all other servers are in service. */
    boolean restIsUp() throws IOException;
}
