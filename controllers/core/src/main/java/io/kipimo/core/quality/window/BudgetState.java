package io.kipimo.core.quality.window;

import java.util.ArrayList;
import java.util.List;

/**
 * Budget of one class: full sums for recent minutes, and a few numbers for each hour of the period. Mutable; stored
 * field by field.
 */
public final class BudgetState {
    /** Metric of the losses; if the policy's first metric changes, the state starts again. */
    public String metric = "";

    /** Minutes of the long window, ascending by start. */
    public List<BudgetPane> minutes = new ArrayList<>();

    /** Hours that have not ended, ascending by start. */
    public List<BudgetPane> openHours = new ArrayList<>();

    /** Ended hours with an estimate, ascending. The four arrays have start, answers, lost quality and measured time. */
    public long[] hourStarts = {};

    public long[] hourAnswers = {};
    public double[] hourLosses = {};
    public long[] hourCoveredMillis = {};

    /** Minutes that end at or before this are closed, epoch milliseconds. */
    public long closedUntilMillis;
}
