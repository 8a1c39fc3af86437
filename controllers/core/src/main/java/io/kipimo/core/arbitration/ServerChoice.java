package io.kipimo.core.arbitration;

import java.util.List;
import java.util.function.IntPredicate;

/** Chooses the servers for the copies of a request. Mutable, for one owner. */
public interface ServerChoice {
    /** Number M of servers; they are numbered 0..M-1. */
    int servers();

    /**
     * Takes up to {@code wanted} different servers, the best first; fewer if no more are free.
     *
     * @param excluded servers that already have a copy of the request
     */
    List<Integer> take(int wanted, IntPredicate excluded, long nowMicros);

    /** Whether some server is free, though possibly excluded for some requests. */
    boolean hasFree();

    /**
     * Gives a server back after the end of a copy.
     *
     * @param server server that was taken
     * @param takenMicros when it was taken
     * @param counts whether its duration measures the server's speed; false for cancelled and failed copies
     */
    void giveBack(int server, long takenMicros, boolean counts, long nowMicros);
}
