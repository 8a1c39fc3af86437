package io.kipimo.schemas.quality;

/**
 * Counts and lost quality of one component over one window.
 *
 * @param invoked unsampled count
 * @param timedOut unsampled count
 * @param lostQuality sum of the quality lost by its lateness, over the sampled queries
 */
public record ComponentAttribution(
        String component, long invoked, long timedOut, double lostQuality) {}
