package io.kipimo.bench.report;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Figures in rows and columns.
 *
 * @param title what the rows are
 * @param columns names with unit, as the first row gives them; the first names the row
 * @param rows as many cells as columns: texts, numbers, or null for a missing figure
 */
public record Table(String title, List<String> columns, List<List<Object>> rows) {
    /** An empty table. */
    public Table(String title) {
        this(title, new ArrayList<>(), new ArrayList<>());
    }

    /** A cell with the given number of digits behind the decimal point; null if the value is not finite, so unknown. */
    public static BigDecimal digits(double value, int digits) {
        return Double.isFinite(value) ? BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_EVEN) : null;
    }

    /** Begins a row, whose cells follow. */
    public Row row() {
        List<Object> cells = new ArrayList<>();
        if (!rows.isEmpty() && rows.get(rows.size() - 1).size() < columns.size()) {
            throw new IllegalArgumentException(title + ": the last row lacks cells; allowed: " + columns);
        }
        rows.add(cells);
        return new Row(cells, rows.size() == 1);
    }

    /** A row under construction. Each of its figures is added together with the name of its column. */
    public final class Row {
        private final List<Object> cells;
        private final boolean isFirst;

        private Row(List<Object> cells, boolean isFirst) {
            this.cells = cells;
            this.isFirst = isFirst;
        }

        /**
         * Adds a cell. The first row defines the columns; all other rows must have the same columns in the same order.
         */
        public Row cell(String column, Object value) {
            if (isFirst) {
                columns.add(column);
            } else if (cells.size() == columns.size()
                    || !columns.get(cells.size()).equals(column)) {
                throw new IllegalArgumentException(title + ": a row has '" + column + "'; allowed: " + columns);
            }
            cells.add(value);
            return this;
        }

        /** Adds a cell with the given number of digits behind the decimal point. */
        public Row cell(String column, double value, int digits) {
            return cell(column, Table.digits(value, digits));
        }
    }

    /** Rows as objects, for JSON. */
    List<Map<String, Object>> objects() {
        List<Map<String, Object>> objects = new ArrayList<>();
        for (List<Object> row : rows) {
            Map<String, Object> object = new LinkedHashMap<>();
            for (int i = 0; i < columns.size(); i++) {
                object.put(columns.get(i), row.get(i));
            }
            objects.add(object);
        }
        return objects;
    }
}
