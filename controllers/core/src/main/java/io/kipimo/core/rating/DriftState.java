package io.kipimo.core.rating;

/**
 * Observations of a service since its rating.
 *
 * @param baseline the first profile after the rating; null: not complete yet
 * @param current the profile in progress
 * @param drifted number of successive profiles that differ from the baseline
 */
public record DriftState(ServiceProfile baseline, ServiceProfile current, int drifted) {
    /**
     * State after a rating that ended at {@code ratedMillis}. Facts before this time are excluded, since the rating
     * itself made the load.
     */
    public static DriftState since(long ratedMillis) {
        return new DriftState(null, ServiceProfile.from(ratedMillis), 0);
    }
}
