package io.kipimo.schemas.quality;

/**
 * One component over one window.
 *
 * @param invoked unsampled count
 * @param timedOut unsampled count
 * @param lostQuality sum over the sampled queries of the quality lost by its lateness
 */
public record ComponentAttribution(
        String component, long invoked, long timedOut, double lostQuality) {}
