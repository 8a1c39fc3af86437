package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.SampledEvent;

/**
 * The result of one event in the join. Every event of a service with a policy has exactly one result, so the number of
 * events is joined + late + duplicate.
 */
public enum JoinResult {
    /** The event is part of its query, or it happened within the window but did not change the measurement. */
    JOINED,
    /** The event happened, or arrived, after the expiration window. */
    LATE,
    /** The event repeats the answer, or a component's result in the same phase. */
    DUPLICATE;

    /** Receives the results of events, each once. */
    @FunctionalInterface
    public interface Listener {
        void onFate(SampledEvent event, JoinResult result);
    }
}
