package io.kipimo.operators.rating;

import java.io.Serializable;

/** Keeps a service's admission and replication unchanged, so that a rating measures one configuration. */
public interface TargetHold extends Serializable {
    /** Duration of a hold, milliseconds; the holder renews it in time. */
    long LEASE_MILLIS = 300_000;

    /**
     * Holds the service until a time, or longer if an existing hold is longer. People's overrides remain in force.
     *
     * @param ratingId rating that owns the hold
     * @throws Exception if the hold cannot be published; the rating must stop then
     */
    void hold(String service, String ratingId, long untilMillis) throws Exception;

    /** Ends this rating's hold. */
    void release(String service, String ratingId) throws Exception;
}
