package io.kipimo.schemas.observation;

/**
 * Queries of one range of predicted cost.
 *
 * @param bin {@code floor(4 log2(cost))}, {@link #LEAST_BIN}..{@link #GREATEST_BIN}
 * @param workMicros time that components spent on the answers
 */
public record CostCount(int bin, long offered, long answered, long workMicros) {
    public static final int LEAST_BIN = -200;
    public static final int GREATEST_BIN = 200;
}
