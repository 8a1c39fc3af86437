package io.kipimo.core.rating.course;

import io.kipimo.schemas.rating.RatingState;
import io.kipimo.schemas.rating.TrialPurpose;

/** What a rating does next: another experiment, or nothing, since it is over. */
public sealed interface CourseStep {
    /**
     * An experiment.
     *
     * @param number from 1
     * @param load in units of load
     * @param millis that are measured
     */
    record Run(int number, long load, TrialPurpose purpose, long millis) implements CourseStep {}

    /**
     * The end.
     *
     * @param load that reaches the rating, in units; 0: none
     * @param throughput the rating, requests a second
     * @param noise standard deviation of a reading, as a share of it
     * @param remark figures that explain the state, may be empty
     */
    record Done(RatingState state, long load, double throughput, double noise, String remark)
            implements CourseStep {}
}
