package io.kipimo.core.rating;

import io.kipimo.schemas.rating.Experiment;
import io.kipimo.schemas.rating.Rating;

/** Output of one step of a rating. Commands come before the new version of the rating. */
public sealed interface RatingDecision {
    /** A command to load generators. */
    record Command(Experiment experiment) implements RatingDecision {}

    /** A new version of the rating. */
    record Changed(Rating rating) implements RatingDecision {}
}
