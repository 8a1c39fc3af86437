package io.kipimo.cli.terminal;

import io.kipimo.schemas.field.Names;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Formats a table of text. Columns are as wide as their widest cell, with two spaces between them. Characters that
 * control a terminal become question marks.
 */
public final class TextTable {
    private final List<List<String>> rows = new ArrayList<>();

    public TextTable(String... titles) {
        rows.add(List.of(titles));
    }

    public TextTable(List<String> titles) {
        rows.add(List.copyOf(titles));
    }

    public TextTable row(String... cells) {
        return row(List.of(cells));
    }

    /**
     * Adds a row.
     *
     * @throws IllegalArgumentException if there are not as many cells as titles
     */
    public TextTable row(List<String> cells) {
        if (cells.size() != rows.get(0).size()) {
            throw new IllegalArgumentException("row has %s cells; allowed: one for each title, %s"
                    .formatted(cells.size(), rows.get(0).size()));
        }
        rows.add(cells.stream().map(Names::printable).toList());
        return this;
    }

    public void print(PrintWriter out) {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
            }
            out.println(line.toString().stripTrailing());
        }
    }
}
