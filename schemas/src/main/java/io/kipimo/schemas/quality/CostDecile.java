package io.kipimo.schemas.quality;

/**
 * A tenth or more of the queries with a predicted cost: those below {@code upTo}, and not below
 * that of the decile before.
 *
 * @param upTo in the unit of the stated costs, above 0
 * @param workMicros mean time that components spent on an answer; 0 without answers
 */
public record CostDecile(double upTo, long offered, long answered, double workMicros) {}
