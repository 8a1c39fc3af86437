package io.kipimo.schemas.deadline;

import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.quality.Estimate;

/**
 * Results of choosing components so that each query keeps a least expected quality, the floor.
 *
 * @param floor expected quality that each choice keeps, 0..1
 * @param effort work of the choices, as a share of the work of asking all components, over all queries, 0..1
 * @param quality mean share of the full answer that the chosen components had
 * @param belowHalf share of the queries with a quality below 0.5
 */
public record FanOutFloor(
        @Range(most = 1) double floor,
        @Range(most = 1) double effort,
        Estimate quality,
        @Range(most = 1) double belowHalf) {}
