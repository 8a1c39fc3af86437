package io.kipimo.core.rating.drift;

/**
 * What is known of a service since it was rated.
 *
 * @param baseline the first profile after the rating; null: not over yet
 * @param current the profile under way
 * @param drifted profiles in a row that differ from the first
 */
public record DriftState(ServiceProfile baseline, ServiceProfile current, int drifted) {
    /** Of a rating that ended then: what it imposed itself is not what the service usually does. */
    public static DriftState since(long ratedMillis) {
        return new DriftState(null, ServiceProfile.from(ratedMillis), 0);
    }
}
