package io.kipimo.schemas.policy;

/**
 * How many queries are sampled.
 *
 * @param minimumRate fraction, in (0, 1]
 * @param maximumRate fraction, in [minimumRate, 1]
 * @param targetHalfWidth half-width of the stratified interval to keep, in (0, 1)
 * @param fixedRate above 0: no adaptation, this rate always
 * @param extraLoad late work that measuring may cause, as a share of the work for answers, 0..1; 0:
 *     any
 */
public record SamplingPolicy(
        double minimumRate,
        double maximumRate,
        double targetHalfWidth,
        double fixedRate,
        double extraLoad) {
    public static final SamplingPolicy DEFAULT = new SamplingPolicy(0.005, 0.2, 0.02, 0, 0.05);
}
