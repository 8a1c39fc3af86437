package io.kipimo.operators.invalidation;

import io.kipimo.core.invalidation.AfterImage;

/** Input of a cell of the grid. */
sealed interface CellInput {
    /** Number of the cell, 0..cells of the grid - 1. */
    int cell();

    /** A record of the cell's row was written. */
    record CellWrite(int cell, AfterImage image) implements CellInput {}

    /**
     * A query of the cell's column.
     *
     * @param terms terms with the whole result; the cell uses only the records of its row
     */
    record Register(int cell, QueryTerms terms) implements CellInput {}

    /**
     * A query ended.
     *
     * @param subscription service/table/key
     */
    record End(int cell, String subscription) implements CellInput {}
}
