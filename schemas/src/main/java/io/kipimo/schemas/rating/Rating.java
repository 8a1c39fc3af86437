package io.kipimo.schemas.rating;

import java.util.List;

/**
 * A rating, from its request to its result; of several with one id the latest counts.
 *
 * @param trials in order
 * @param load that reaches the rating, in units; the best so far while it runs; 0: none
 * @param throughput the rating, requests a second
 * @param noise standard deviation of a reading, as a share of it
 * @param elapsedMillis since its request
 * @param predictedMillis by the model of a rating's duration
 * @param remark for people, may be empty
 * @param updatedAtMillis epoch milliseconds
 */
public record Rating(
        RatingRequest request,
        RatingState state,
        List<RatingTrial> trials,
        long load,
        double throughput,
        double noise,
        long elapsedMillis,
        long predictedMillis,
        String remark,
        long updatedAtMillis) {
    public String ratingId() {
        return request.ratingId();
    }

    /** A rating that is asked for. */
    public static Rating requested(RatingRequest request) {
        return new Rating(
                request,
                RatingState.REQUESTED,
                List.of(),
                0,
                0,
                0,
                0,
                0,
                "",
                request.requestedAtMillis());
    }
}
