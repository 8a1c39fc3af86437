package io.kipimo.core.arbitration;

import java.util.List;
import java.util.function.IntPredicate;

/** Which servers get the copies of a request. Mutable, of a single owner. */
public interface ServerChoice {
    /** M; servers are 0..M-1. */
    int servers();

    /**
     * Takes up to {@code wanted} different servers, the best first; fewer if no more are free.
     *
     * @param excluded servers that the request has a copy at already
     */
    List<Integer> take(int wanted, IntPredicate excluded, long nowMicros);

    /** Whether some server is free, if not for every request. */
    boolean hasFree();

    /**
     * A copy is through.
     *
     * @param server that was taken
     * @param takenMicros when
     * @param counts whether its time tells of the server's speed: not if it was cancelled or failed
     */
    void giveBack(int server, long takenMicros, boolean counts, long nowMicros);
}
