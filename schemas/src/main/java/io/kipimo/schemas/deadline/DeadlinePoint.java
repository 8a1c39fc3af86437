package io.kipimo.schemas.deadline;

import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.quality.Estimate;

/**
 * Effect of one deadline.
 *
 * @param deadlineMillis the deadline, milliseconds after a query's start
 * @param quality mean quality that answers would have had at this deadline, with its 95 % interval
 * @param complete share of the queries for which every component would have answered by the deadline, 0..1
 */
public record DeadlinePoint(
        @Range(most = Range.LONGEST_MICROS / 1000) double deadlineMillis,
        Estimate quality,
        @Range(most = 1) double complete) {}
