package io.kipimo.core.rating;

import io.kipimo.schemas.rating.RatingState;
import io.kipimo.schemas.rating.TrialPurpose;

/** The next step of a rating: another experiment, or the end. */
public sealed interface CourseStep {
    /**
     * An experiment to run.
     *
     * @param number number of the experiment, from 1
     * @param load load to impose, in units of load
     * @param millis duration of the measurement
     */
    record CourseRun(int number, long load, TrialPurpose purpose, long millis) implements CourseStep {}

    /**
     * The end of the rating.
     *
     * @param load load that reaches the rating, in units; 0: none
     * @param throughput the rating, requests a second
     * @param noise standard deviation of a reading, as a fraction of the reading
     * @param remark figures that explain the state; may be empty
     */
    record CourseEnd(RatingState state, long load, double throughput, double noise, String remark)
            implements CourseStep {}
}
