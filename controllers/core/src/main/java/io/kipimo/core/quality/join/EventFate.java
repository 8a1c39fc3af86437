package io.kipimo.core.quality.join;

import io.kipimo.schemas.codec.SampledEvent;

/**
 * What became of one event; every event that can be used has exactly one fate: in = joined + late +
 * duplicate + rejected.
 */
public enum EventFate {
    /** It is part of its query, or happened within the window and changes nothing in its row. */
    JOINED,
    /** It happened, or came, after the expiration window. */
    LATE,
    /** The same answer, or the same component and phase, was there before. */
    DUPLICATE;

    /** Takes the fates of events, each once. */
    @FunctionalInterface
    public interface Listener {
        void onFate(SampledEvent event, EventFate fate);
    }
}
