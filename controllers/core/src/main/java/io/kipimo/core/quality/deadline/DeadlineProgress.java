package io.kipimo.core.quality.deadline;

import io.kipimo.core.quality.join.ContributionHistory;

/** State of the deadline window of one class, besides its panes. Mutable; stored field by field. */
public final class DeadlineProgress {
    /** Contributions of late components. */
    public ContributionHistory contributions = new ContributionHistory();

    /** Panes that end at or before this are closed, epoch milliseconds. */
    public long closedUntilMillis;

    /** The one pending timer, epoch milliseconds of event time; 0: none. */
    public long timerMillis;
}
