package io.kipimo.schemas.observation;

import io.kipimo.schemas.field.Range;

/**
 * Counts of the queries in one range of predicted cost.
 *
 * @param bin {@code floor(4 log2(cost))}, {@link #LEAST_BIN}..{@link #GREATEST_BIN}
 * @param offered number of queries offered, at most that of the observation; the observation's codec checks this
 * @param answered number of answers, with the same limit and check
 * @param workMicros time that components spent on these answers, microseconds
 */
public record CostCount(
        @Range(least = CostCount.LEAST_BIN, most = CostCount.GREATEST_BIN)
        int bin,

        @Range(least = Long.MIN_VALUE, most = Long.MAX_VALUE)
        long offered,

        @Range(least = Long.MIN_VALUE, most = Long.MAX_VALUE)
        long answered,

        long workMicros) {
    public static final int LEAST_BIN = -200;
    public static final int GREATEST_BIN = 200;
}
