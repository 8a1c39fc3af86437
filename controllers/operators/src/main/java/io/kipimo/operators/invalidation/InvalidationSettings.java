package io.kipimo.operators.invalidation;

import io.kipimo.core.invalidation.CellSettings;
import io.kipimo.core.invalidation.InvalidationRule;
import io.kipimo.core.invalidation.Representation;
import io.kipimo.core.invalidation.grid.Grid;
import java.io.Serializable;

/**
 * What the operators of invalidation agree on.
 *
 * @param columns of the grid, over which queries are divided, at least 1; a savepoint keeps it
 * @param rows of the grid, over which records are divided, at least 1; a savepoint keeps it
 * @param replayMillis see {@link CellSettings}, as for the next
 * @param slack records after a limited result that are kept, at least 1
 * @param serveStaleMillis how long a stale result may be served; 0: invalidations are hard
 * @param budget most matching cost of the queries that are in, at least 1; one that is looked up by
 *     a condition costs 1
 * @param partitions of the topic of notifications, at least 1
 */
public record InvalidationSettings(
        int columns,
        int rows,
        long replayMillis,
        int replayWrites,
        int slack,
        long serveStaleMillis,
        long budget,
        int partitions)
        implements Serializable {
    private static final long serialVersionUID = 1L;

    /**
     * @throws IllegalArgumentException if one is out of range
     */
    public InvalidationSettings {
        var unusedGrid = new Grid(columns, rows);
        var unusedCell = new CellSettings(replayMillis, replayWrites);
        if (slack < 1 || serveStaleMillis < 0 || budget < 1 || partitions < 1) {
            throw new IllegalArgumentException(
                    "slack "
                            + slack
                            + ", serveStaleMillis "
                            + serveStaleMillis
                            + ", budget "
                            + budget
                            + ", partitions "
                            + partitions
                            + "; allowed: from 1, from 0, from 1, from 1");
        }
    }

    /** The same for a topic of so many partitions. */
    public InvalidationSettings withPartitions(int ofTopic) {
        return new InvalidationSettings(
                columns,
                rows,
                replayMillis,
                replayWrites,
                slack,
                serveStaleMillis,
                budget,
                ofTopic);
    }

    public Grid grid() {
        return new Grid(columns, rows);
    }

    CellSettings cell() {
        return new CellSettings(replayMillis, replayWrites);
    }

    InvalidationRule rule(Representation representation) {
        return serveStaleMillis == 0
                ? InvalidationRule.hard(representation)
                : InvalidationRule.soft(representation, serveStaleMillis);
    }
}
