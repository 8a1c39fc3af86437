package io.kipimo.operators.invalidation;

import io.kipimo.core.invalidation.InvalidationRule;
import io.kipimo.core.invalidation.MatchingCell;
import io.kipimo.core.invalidation.Representation;
import io.kipimo.core.invalidation.filter.Grid;
import io.kipimo.schemas.field.WithBuilder;
import java.io.Serializable;

/**
 * Settings shared by the operators of invalidation.
 *
 * @param columns columns of the grid, which divide queries, at least 1; a savepoint keeps the number
 * @param rows rows of the grid, which divide records, at least 1; a savepoint keeps the number
 * @param replayMillis see {@link MatchingCell.Retention}
 * @param replayWrites see {@link MatchingCell.Retention}
 * @param slack number of records kept after a limited result, at least 1
 * @param serveStaleMillis how long a stale result may be served; 0: invalidations are hard
 * @param budget greatest matching cost of all admitted queries, at least 1; a query that is looked up by a condition
 *     costs 1
 * @param partitions partitions of the topic of notifications, at least 1
 */
@WithBuilder
public record InvalidationSettings(
        int columns,
        int rows,
        long replayMillis,
        int replayWrites,
        int slack,
        long serveStaleMillis,
        long budget,
        int partitions)
        implements InvalidationSettingsBuilder.With, Serializable {
    /** @throws IllegalArgumentException if a setting is out of range */
    public InvalidationSettings {
        var unusedGrid = new Grid(columns, rows);
        var unusedCell = new MatchingCell.Retention(replayMillis, replayWrites);
        if (slack < 1 || serveStaleMillis < 0 || budget < 1 || partitions < 1) {
            throw new IllegalArgumentException("slack "
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

    public Grid grid() {
        return new Grid(columns, rows);
    }

    MatchingCell.Retention cell() {
        return new MatchingCell.Retention(replayMillis, replayWrites);
    }

    InvalidationRule rule(Representation representation) {
        return serveStaleMillis == 0
                ? InvalidationRule.hard(representation)
                : InvalidationRule.soft(representation, serveStaleMillis);
    }
}
