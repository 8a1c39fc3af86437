package io.kipimo.operators.invalidation;

import io.kipimo.core.invalidation.change.AfterImage;

/** What a cell of the grid is told. */
sealed interface CellInput {
    /** 0.. cells of the grid - 1. */
    int cell();

    /** A record of the cell's row was written. */
    record Write(int cell, AfterImage image) implements CellInput {}

    /**
     * A query of the cell's column.
     *
     * @param terms with the whole result; the cell takes what is of its row
     */
    record Register(int cell, QueryTerms terms) implements CellInput {}

    /**
     * A query ended.
     *
     * @param subscription service/table/key
     */
    record End(int cell, String subscription) implements CellInput {}
}
