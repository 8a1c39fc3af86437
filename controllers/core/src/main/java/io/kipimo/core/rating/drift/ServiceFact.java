package io.kipimo.core.rating.drift;

/**
 * Something that was observed of a service.
 *
 * @param name of the class, or of the tier; empty where the service as a whole is meant
 * @param amount as the aspect says, finite, 0 or more
 * @param atMillis event time, epoch milliseconds
 */
public record ServiceFact(
        String service, Aspect aspect, String name, double amount, long atMillis) {
    /** Of what. */
    public enum Aspect {
        /** Requests of a class that were offered; they add up. */
        MIX,
        /** Requests a second that a tier can carry; their mean counts. */
        CAPACITY,
        /** The coefficient of variation of the service's latencies; its mean counts. */
        VARIABILITY
    }
}
