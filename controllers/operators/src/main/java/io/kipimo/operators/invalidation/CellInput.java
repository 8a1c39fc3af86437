package io.kipimo.operators.invalidation;

import io.kipimo.core.invalidation.AfterImage;

/** Input of one cell of the matching grid, whose rows divide the records and whose columns divide the queries. */
sealed interface CellInput {
    /** Number of the cell, from 0 to the number of cells - 1. */
    int cell();

    /** A record of the cell's row was written. */
    record CellWrite(int cell, AfterImage image) implements CellInput {}

    /**
     * A query of the cell's column was registered.
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
