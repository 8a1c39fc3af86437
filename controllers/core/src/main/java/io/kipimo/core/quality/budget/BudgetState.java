package io.kipimo.core.quality.budget;

import java.util.ArrayList;
import java.util.List;

/**
 * What one class has spent: some minutes in full, and of each hour of the period three numbers.
 * Mutable; a Flink POJO.
 */
public final class BudgetState {
    /** By which losses are measured; a change of the policy's first one begins anew. */
    public String metric = "";

    /** Ascending by start, those of the long window. */
    public List<BudgetPane> minutes = new ArrayList<>();

    /** The hours that are not over, ascending by start. */
    public List<BudgetPane> openHours = new ArrayList<>();

    /**
     * Hours that are over and could be estimated, ascending: start, answers, quality they lost,
     * measured time.
     */
    public long[] hourStarts = {};

    public long[] hourAnswers = {};
    public double[] hourLosses = {};
    public long[] hourCoveredMillis = {};

    /** Minutes that end at or before this are closed, epoch milliseconds. */
    public long closedUntilMillis;
}
