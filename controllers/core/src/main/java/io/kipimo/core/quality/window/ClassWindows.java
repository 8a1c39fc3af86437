package io.kipimo.core.quality.window;

import java.util.ArrayList;
import java.util.List;

/**
 * State of one service and class: panes of the averaging window and the batch in progress. Mutable;
 * a Flink POJO.
 */
public final class ClassWindows {
    /** Ascending by start: at most the panes of one window and later ones. */
    public List<Pane> panes = new ArrayList<>();

    /** Sums since the last control batch. */
    public Pane batch = new Pane();

    /** Latest second whose observation is in the batch, epoch milliseconds; 0: none yet. */
    public long batchSecondMillis;

    /** Panes that end at or before this are closed, epoch milliseconds. */
    public long closedUntilMillis;
}
