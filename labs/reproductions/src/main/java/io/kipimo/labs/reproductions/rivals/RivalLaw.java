package io.kipimo.labs.reproductions.rivals;

/** A law with its state. The highest class is always admitted, and counts. */
public interface RivalLaw {
    /**
     * What a window shows at the front end and in the servers.
     *
     * @param latencySeconds mean of the answers; 0 without any
     * @param mostInFlight queries in flight
     * @param timeOutShare answers that lack a component, 0..1
     * @param offered queries, of all classes; {@code offeredHigh}: of the highest
     * @param queueSeconds mean wait in the server where it is longest
     * @param leastQueueSeconds greatest of the servers' least waits
     * @param waiting requests that wait at the end of the window, mean of the servers
     */
    record Signals(
            long answered,
            double latencySeconds,
            long mostInFlight,
            double timeOutShare,
            long offered,
            long offeredHigh,
            long admitted,
            double queueSeconds,
            double leastQueueSeconds,
            double waiting) {}

    /**
     * A query of a lower class that asks for admission.
     *
     * @param level 0..1, uniform over the lower classes' queries; the higher the priority, the lower the level
     * @param inFlight queries in flight; {@code lowerInFlight}: of the lower classes
     */
    record Entry(double level, long inFlight, long lowerInFlight) {}

    /** The law after a window. */
    RivalLaw after(Signals signals);

    /** Whether a query is admitted. */
    boolean admits(Entry entry);

    /** Length of a window. */
    default double windowSeconds() {
        return 1;
    }
}
