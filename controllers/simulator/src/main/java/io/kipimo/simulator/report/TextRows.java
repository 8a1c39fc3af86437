package io.kipimo.simulator.report;

import java.util.ArrayList;
import java.util.List;

/** Rows of text for a table. The first row has the titles, which come from the cells of the first row that is added. */
final class TextRows {
    private final List<String> titles = new ArrayList<>();
    private final List<List<String>> rows = new ArrayList<>();

    TextRows row() {
        rows.add(new ArrayList<>());
        return this;
    }

    TextRows cell(String title, String text) {
        if (rows.size() == 1) {
            titles.add(title);
        }
        rows.get(rows.size() - 1).add(text);
        return this;
    }

    TextRows cell(String title, long count) {
        return cell(title, Long.toString(count));
    }

    /** Returns the titles and the rows; empty without a row. */
    List<List<String>> list() {
        if (!rows.isEmpty()) {
            rows.add(0, titles);
        }
        return rows;
    }
}
