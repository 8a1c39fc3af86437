package io.kipimo.labs.reproductions.rivals;

/** A law of admission with its state. The highest class is always admitted, but its queries count in the signals. */
public interface RivalLaw {
    /**
     * The signals of one window, seen at the front end and in the servers.
     *
     * @param latencySeconds mean of the answers; 0 without any
     * @param mostInFlight greatest number of queries in flight
     * @param timeOutShare share of the answers that lack a component, 0..1
     * @param offered queries of all classes
     * @param offeredHigh queries of the highest class
     * @param queueSeconds mean wait in the server where it is longest
     * @param leastQueueSeconds least wait in the server where it is longest
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

    /** The law's next state after a window. */
    RivalLaw after(Signals signals);

    /** Returns whether a query is admitted. */
    boolean admits(Entry entry);

    /** Length of a window in seconds. */
    default double windowSeconds() {
        return 1;
    }
}
