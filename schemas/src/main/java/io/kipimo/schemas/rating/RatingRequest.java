package io.kipimo.schemas.rating;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Text;

/**
 * Parameters of a rating.
 *
 * @param ratingId identifies the rating
 * @param service service whose admission and replication are held during the rating; empty: none
 * @param target name of the target at the load generators
 * @param requestedAtMillis epoch milliseconds
 */
public record RatingRequest(
        @Name String ratingId,
        @Name(mayBeEmpty = true) String service,
        @Text String target,
        AgreementTerms agreement,
        SearchTerms search,
        ExperimentTerms experiments,
        @Range(least = 1, most = Range.LATEST_MILLIS) long requestedAtMillis) {}
