package io.kipimo.schemas.deadline;

import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.quality.Estimate;

/**
 * Choices of components that would have been made to keep a floor of each query's quality.
 *
 * @param floor expected quality that each choice keeps, 0..1
 * @param effort share of the work of asking all components, over all queries, 0..1
 * @param quality mean share of the full answer that the chosen components had
 * @param belowHalf share of the queries with a quality below 0.5
 */
public record FanOutFloor(
        @Range(most = 1) double floor,
        @Range(most = 1) double effort,
        Estimate quality,
        @Range(most = 1) double belowHalf) {}
