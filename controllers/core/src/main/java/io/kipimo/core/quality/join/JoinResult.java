package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.SampledEvent;

/**
 * What became of one event. Every event of a service that has a policy has exactly one fate: in =
 * joined + late + duplicate.
 */
public enum JoinResult {
    /** It is part of its query, or happened within the window and changes nothing in its row. */
    JOINED,
    /** It happened, or came, after the expiration window. */
    LATE,
    /** The same answer, or the same component and phase, was there before. */
    DUPLICATE;

    /** Takes the fates of events, each once. */
    @FunctionalInterface
    public interface Listener {
        void onFate(SampledEvent event, JoinResult fate);
    }
}
