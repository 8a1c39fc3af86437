package io.kipimo.core.rating;

/**
 * One observation of a service.
 *
 * @param name name of the class or tier; empty for the whole service
 * @param amount value in the unit of the aspect, finite, 0 or more
 * @param atMillis event time, epoch milliseconds
 */
public record ServiceFact(String service, Aspect aspect, String name, double amount, long atMillis) {
    /** The aspect that was observed. */
    public enum Aspect {
        /** Number of offered requests of a class; the facts add up. */
        MIX,
        /** Requests a second that a tier can carry; the mean of the facts counts. */
        CAPACITY,
        /** Coefficient of variation of the service's latencies; the mean of the facts counts. */
        VARIABILITY
    }
}
