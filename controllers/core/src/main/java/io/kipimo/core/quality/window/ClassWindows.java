package io.kipimo.core.quality.window;

import io.kipimo.core.quality.estimate.CostMemory;
import io.kipimo.core.quality.estimate.CostSums;
import java.util.ArrayList;
import java.util.List;

/**
 * State of one service and class: panes of the averaging window and the batch in progress. Mutable; stored field by
 * field.
 */
public final class ClassWindows {
    /** The panes of at most one window, and later panes, ascending by start. */
    public List<Pane> panes = new ArrayList<>();

    /** Sums since the last control batch. */
    public Pane batch = new Pane();

    /** Learned costs of missing components; null in state of version 0.1.0. */
    public CostMemory costs = new CostMemory();

    /** Cost sums of the samples since the last control batch; null in state of version 0.1.0. */
    public CostSums batchCosts = new CostSums();

    /** Latest second whose observation is in the batch, epoch milliseconds; 0: none yet. */
    public long batchSecondMillis;

    /** Panes that end at or before this are closed, epoch milliseconds. */
    public long closedUntilMillis;
}
