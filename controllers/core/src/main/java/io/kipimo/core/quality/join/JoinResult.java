package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.SampledEvent;

/**
 * What the join did with one event. Every event of a service with a policy has exactly one result: in = joined + late +
 * duplicate.
 */
public enum JoinResult {
    /** It is part of its query, or happened within the window without a change of the measurement. */
    JOINED,
    /** It happened, or arrived, after the expiration window. */
    LATE,
    /** A repetition of the answer, or of a component's result in the same phase. */
    DUPLICATE;

    /** Receives the results of events, each once. */
    @FunctionalInterface
    public interface Listener {
        void onFate(SampledEvent event, JoinResult result);
    }
}
