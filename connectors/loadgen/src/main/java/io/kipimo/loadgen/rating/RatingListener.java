package io.kipimo.loadgen.rating;

import io.kipimo.core.rating.CourseStep;
import io.kipimo.schemas.rating.ExperimentCounts;
import io.kipimo.schemas.rating.RatingTrial;
import java.util.List;

/** Is notified of a rating's progress. */
public interface RatingListener {
    /** Ignores everything. */
    RatingListener NONE = new RatingListener() {};

    /**
     * An experiment is running.
     *
     * @param remainingMillis of it
     */
    default void underWay(
            CourseStep.CourseRun run, ExperimentCounts soFar, long remainingMillis, List<RatingTrial> before) {}

    /** An experiment has ended. */
    default void ended(RatingTrial trial) {}
}
