package io.kipimo.otlp;

import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.PartialResult;
import java.util.List;
import java.util.OptionalInt;

/**
 * One query, as the spans of its trace show it.
 *
 * @param online results that the answer contains; only those with known items
 * @param late results that came after the answer; only those with known items
 * @param listed number of items that the user got according to the front end; empty: unknown
 * @param sampling how tracers sampled the query, which stands for 1 / probability queries
 */
record ObservedQuery(
        Answer answer,
        List<PartialResult> online,
        List<PartialResult> late,
        OptionalInt listed,
        HeadSampling sampling) {}
