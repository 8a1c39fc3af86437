package io.kipimo.operators.deadline;

import io.kipimo.core.quality.join.ContributionHistory;

/** How far the window of one class has come. Mutable; a Flink POJO. */
public final class DeadlineProgress {
    /** What components give when they are late. */
    public ContributionHistory contributions = new ContributionHistory();

    /** Panes that end at or before this are closed, epoch milliseconds. */
    public long closedUntilMillis;

    /** The one pending timer, epoch milliseconds of event time; 0: none. */
    public long timerMillis;
}
