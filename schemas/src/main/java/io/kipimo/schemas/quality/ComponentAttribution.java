package io.kipimo.schemas.quality;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;

/**
 * Counts and lost quality of one component over one window.
 *
 * @param invoked number of invocations, unsampled
 * @param timedOut number of missed deadlines, unsampled
 * @param lostQuality sum of the quality lost by the component's lateness, over the sampled queries
 * @param notAsked answers that did not ask the component, unsampled; none of {@code invoked}
 */
public record ComponentAttribution(
        @Name String component,
        long invoked,
        long timedOut,

        @Range(least = -Double.MAX_VALUE, most = Double.MAX_VALUE)
        double lostQuality,

        long notAsked) {
    /** A component that every answer asked. */
    public ComponentAttribution(String component, long invoked, long timedOut, double lostQuality) {
        this(component, invoked, timedOut, lostQuality, 0);
    }
}
