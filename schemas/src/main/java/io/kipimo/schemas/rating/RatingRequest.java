package io.kipimo.schemas.rating;

/**
 * What is to be rated, and how.
 *
 * @param ratingId names the rating
 * @param service whose admission and replication are held meanwhile; empty: nobody's
 * @param target as the load generators know it
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
