package io.kipimo.loadgen.rating;

import io.kipimo.core.rating.course.CourseStep;
import io.kipimo.schemas.rating.ExperimentCounts;
import io.kipimo.schemas.rating.RatingTrial;
import java.util.List;

/** Hears how a rating goes. */
public interface RatingListener {
    /** Hears nothing. */
    RatingListener NONE = new RatingListener() {};

    /**
     * An experiment is under way.
     *
     * @param remainingMillis of it
     */
    default void underWay(
            CourseStep.Run run,
            ExperimentCounts soFar,
            long remainingMillis,
            List<RatingTrial> before) {}

    /** An experiment is over. */
    default void ended(RatingTrial trial) {}
}
