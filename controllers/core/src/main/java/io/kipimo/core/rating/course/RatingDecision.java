package io.kipimo.core.rating.course;

import io.kipimo.schemas.rating.Experiment;
import io.kipimo.schemas.rating.Rating;

/** What a rating publishes; the commands of a step come before the rating. */
public sealed interface RatingDecision {
    /** To load generators. */
    record Command(Experiment experiment) implements RatingDecision {}

    /** The rating, which has changed. */
    record Changed(Rating rating) implements RatingDecision {}
}
