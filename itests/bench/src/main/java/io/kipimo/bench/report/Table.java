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
 * @param columns names with unit; the first names the row
 * @param rows as many cells as columns: texts, numbers, or null for a missing figure
 */
public record Table(String title, List<String> columns, List<List<Object>> rows) {
    /** An empty table. */
    public static Table of(String title, String... columns) {
        return new Table(title, List.of(columns), new ArrayList<>());
    }

    /** A cell with so many digits behind the decimal point; null: not finite, so unknown. */
    public static BigDecimal digits(double value, int digits) {
        return Double.isFinite(value) ? BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_EVEN) : null;
    }

    /** Adds a row. */
    public Table row(Object... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException(
                    title + ": row has " + cells.length + " cells; allowed: " + columns.size());
        }
        List<Object> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(cell);
        }
        rows.add(row);
        return this;
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
