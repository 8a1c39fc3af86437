package io.kipimo.core.quality.fanout.model;

import io.kipimo.schemas.quality.Estimate;
import java.util.List;

/**
 * Effort and quality if only some components were asked.
 *
 * @param effort share of the work of asking all, 0..1
 * @param quality mean share of the mature top k that the asked components have, with a 95 % interval
 * @param belowHalf share of the queries with a quality below 0.5
 * @param leftOut components that no query asks; empty if the choice differs by query
 */
public record FanOutPoint(double effort, Estimate quality, double belowHalf, List<String> leftOut) {}
