package io.kipimo.operators.quality;

import io.kipimo.schemas.observation.Observation;

/**
 * An observation of a front end, with its position in the topic.
 *
 * @param key key of the record in the topic; empty: none
 */
public record LoggedObservation(Observation observation, int partition, long offset, byte[] key) {
    private static final long SECOND_MILLIS = 1_000;

    /** The sender: service/tier/server. */
    public String server() {
        return observation.service() + '/' + observation.tier() + '/' + observation.server();
    }

    public long eventTimeMillis() {
        return observation.endMillis();
    }

    /**
     * Returns the observation unchanged if its second had ended by {@code millis}. Otherwise returns its counts with
     * the last second that had ended by then.
     */
    public LoggedObservation notAfter(long millis) {
        if (observation.endMillis() <= millis) {
            return this;
        }
        long ended = Math.floorDiv(millis + 1, SECOND_MILLIS) * SECOND_MILLIS;
        return new LoggedObservation(observation.at(ended - SECOND_MILLIS), partition, offset, key);
    }
}
