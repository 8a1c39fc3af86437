package io.kipimo.schemas.quality;

import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Size;

/**
 * A tenth or more of the queries with a predicted cost. Their cost is below {@code upTo}, and not below the
 * {@code upTo} of the decile before.
 *
 * @param upTo in the unit of the stated costs, above 0
 * @param workMicros mean time that components spent on an answer, microseconds; 0 without answers
 */
public record CostDecile(
        @Range(least = Double.MIN_VALUE, most = Double.MAX_VALUE)
        double upTo,

        long offered,
        long answered,

        @Range(most = Range.LONGEST_MICROS * Size.MOST_PARTS)
        double workMicros) {}
