package io.kipimo.core.invalidation.filter;

import java.util.stream.IntStream;
import net.openhft.hashing.LongHashFunction;

/**
 * Divides the work of matching into cells in rows and columns. Each query belongs to all cells of one column, and each
 * write goes to all cells of one row, so a query and a write meet in exactly one cell. More queries need more columns;
 * more writes or larger results need more rows.
 *
 * @param columns at least 1
 * @param rows at least 1
 */
public record Grid(int columns, int rows) {
    private static final LongHashFunction HASH = LongHashFunction.xx3();

    public Grid {
        if (columns < 1 || rows < 1 || (long) columns * rows > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(columns + " columns, " + rows + " rows; allowed: from 1");
        }
    }

    public int cells() {
        return columns * rows;
    }

    /** Column of a query, 0..columns - 1. */
    public int column(String queryKey) {
        return within(HASH.hashChars(queryKey), columns);
    }

    /** Row of a record, 0..rows - 1. */
    public int row(String collection, String recordId) {
        return within(HASH.hashChars(recordId) * 31 + HASH.hashChars(collection), rows);
    }

    /** Number of a cell, 0..cells - 1. */
    public int cell(int column, int row) {
        return row * columns + column;
    }

    /** Cells in which a query is installed. */
    public IntStream cellsOfQuery(String queryKey) {
        int column = column(queryKey);
        return IntStream.range(0, rows).map(row -> cell(column, row));
    }

    /** Cells in which a write is matched. */
    public IntStream cellsOfRecord(String collection, String recordId) {
        int row = row(collection, recordId);
        return IntStream.range(0, columns).map(column -> cell(column, row));
    }

    private static int within(long hash, int parts) {
        return (int) (((hash >>> 32) * parts) >>> 32);
    }
}
