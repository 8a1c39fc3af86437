package io.kipimo.endtoend.tiers;

/** Service time of a copy at a server. Not thread-safe. */
@FunctionalInterface
public interface ServerTime {
    /**
     * Service time of a copy that begins now, milliseconds.
     *
     * @param server index, from 0
     * @param nowMillis current time; never decreases
     */
    long millis(int server, long nowMillis);
}
