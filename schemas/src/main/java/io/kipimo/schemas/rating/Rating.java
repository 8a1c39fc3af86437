package io.kipimo.schemas.rating;

import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Size;
import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.List;

/**
 * A rating, from its request to its result. Of several records with one rating id, the latest counts.
 *
 * @param trials the rating's experiments, in order
 * @param load load at which the throughput is reached, in units; the best load so far while the rating runs; 0: none
 * @param throughput the rating, requests per second
 * @param noise standard deviation of a reading, as a share of the reading
 * @param elapsedMillis time since the rating's request
 * @param predictedMillis duration that the duration model predicts
 * @param remark for people, may be empty
 * @param updatedAtMillis epoch milliseconds
 */
@WithBuilder
public record Rating(
        RatingRequest request,
        RatingState state,

        @Initializer(source = List.class, value = "of") @Size(most = RatingTrial.MOST)
        List<RatingTrial> trials,

        @Range(most = SearchTerms.MOST_LOAD) long load,
        @Range(most = 1e15) double throughput,
        @Range(most = 1e15) double noise,
        long elapsedMillis,
        long predictedMillis,
        String remark,
        @Range(least = 1, most = Range.LATEST_MILLIS) long updatedAtMillis) {
    public String ratingId() {
        return request.ratingId();
    }

    /** Creates a new rating in state REQUESTED. */
    public static Rating requested(RatingRequest request) {
        return RatingBuilder.builder()
                .request(request)
                .state(RatingState.REQUESTED)
                .remark("")
                .updatedAtMillis(request.requestedAtMillis())
                .build();
    }
}
