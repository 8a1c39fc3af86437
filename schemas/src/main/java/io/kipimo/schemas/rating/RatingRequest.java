package io.kipimo.schemas.rating;

/**
 * Parameters of a rating.
 *
 * @param ratingId identifies the rating
 * @param service service whose admission and replication are held during the rating; empty: none
 * @param target name of the target at the load generators
 * @param requestedAtMillis epoch milliseconds
 */
public record RatingRequest(
        String ratingId,
        String service,
        String target,
        AgreementTerms agreement,
        SearchTerms search,
        ExperimentTerms experiments,
        long requestedAtMillis) {}
