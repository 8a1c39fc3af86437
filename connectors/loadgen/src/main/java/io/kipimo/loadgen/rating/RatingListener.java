package io.kipimo.loadgen.rating;

import io.kipimo.core.rating.CourseStep;
import io.kipimo.schemas.rating.ExperimentCounts;
import io.kipimo.schemas.rating.RatingTrial;
import java.util.List;

/** Is notified of a rating's progress. */
public interface RatingListener {
    /** A listener that ignores everything. */
    RatingListener NONE = new RatingListener() {};

    /**
     * Called while an experiment is running.
     *
     * @param remainingMillis time until the experiment ends
     */
    default void underWay(
            CourseStep.CourseRun run, ExperimentCounts soFar, long remainingMillis, List<RatingTrial> before) {}

    /** Called when an experiment has ended. */
    default void ended(RatingTrial trial) {}
}
