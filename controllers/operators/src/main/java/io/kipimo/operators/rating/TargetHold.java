package io.kipimo.operators.rating;

import java.io.Serializable;

/** Holds a service's admission and replication where they are, so that a rating is of one thing. */
public interface TargetHold extends Serializable {
    /** How long a hold lasts; who holds renews it before. */
    long LEASE_MILLIS = 300_000;

    /**
     * Holds until a time, or longer if it did already; what a person has overridden stays so.
     *
     * @param ratingId whose hold it is
     * @throws Exception if that cannot be made known; the rating must not go on then
     */
    void hold(String service, String ratingId, long untilMillis) throws Exception;

    /** Ends this rating's hold. */
    void release(String service, String ratingId) throws Exception;
}
