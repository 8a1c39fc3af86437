package io.kipimo.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.kipimo.simulator.report.Html;
import io.kipimo.simulator.report.LinePlot;
import io.kipimo.simulator.report.Phrase;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One benchmark's result with its environment, as text and as JSON. */
public record Report(String name, String summary, Environment environment, Result result) {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /** The report as text. Tables have aligned columns, with numbers to the right. */
    public String text() {
        StringBuilder text = new StringBuilder();
        text.append(name).append(": ").append(summary).append('\n');
        environment
                .facts()
                .forEach((k, v) ->
                        text.append("  ").append(k).append(": ").append(v).append('\n'));
        for (Table table : result.tables()) {
            text.append('\n').append(text(table));
        }
        if (!result.notes().isEmpty()) {
            text.append('\n');
            result.notes().forEach(note -> text.append("  - ").append(note).append('\n'));
        }
        return text.toString();
    }

    /** The report as an object for JSON. */
    public Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("name", name);
        object.put("summary", summary);
        object.put("environment", environment.facts());
        environment.warning().ifPresent(warning -> object.put("warning", warning));
        List<Map<String, Object>> tables = new ArrayList<>();
        for (Table table : result.tables()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("title", table.title());
            one.put("rows", table.objects());
            tables.add(one);
        }
        object.put("tables", tables);
        if (!result.plots().isEmpty()) {
            object.put("plots", result.plots().stream().map(LinePlot::tree).toList());
        }
        object.put("notes", result.notes());
        return object;
    }

    /** The tables and plots as an HTML page; empty if there are no plots. */
    public Optional<String> page() {
        if (result.plots().isEmpty()) {
            return Optional.empty();
        }
        Html page = new Html("kipimo bench " + name).paragraph(summary);
        environment.warning().ifPresent(page::paragraph);
        for (Table table : result.tables()) {
            List<List<String>> rows = new ArrayList<>(List.of(table.columns()));
            table.rows().forEach(row -> rows.add(row.stream().map(Report::cell).toList()));
            page.paragraph(table.title()).table(rows);
        }
        result.plots().forEach(page::plot);
        result.notes().forEach(page::paragraph);
        environment.facts().forEach((k, v) -> page.paragraph(k + ": " + v));
        return Optional.of(page.page());
    }

    /** Objects as indented JSON. */
    public static String json(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("figures are always JSON", e);
        }
    }

    private static String text(Table table) {
        int columns = table.columns().size();
        int[] widths = new int[columns];
        List<List<String>> lines = new ArrayList<>();
        lines.add(table.columns());
        table.rows().forEach(row -> lines.add(row.stream().map(Report::cell).toList()));
        for (List<String> line : lines) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder("  ").append(table.title()).append('\n');
        for (List<String> line : lines) {
            text.append("   ");
            for (int i = 0; i < columns; i++) {
                String pad = " ".repeat(widths[i] - line.get(i).length());
                text.append(' ')
                        .append(isText(table, i) ? line.get(i) + pad : pad + line.get(i))
                        .append(' ');
            }
            text.append('\n');
        }
        return text.toString();
    }

    private static boolean isText(Table table, int column) {
        return column == 0 || table.rows().stream().allMatch(row -> row.get(column) instanceof String);
    }

    private static String cell(Object value) {
        if (value == null) {
            return "-";
        }
        if (value instanceof BigDecimal exact) {
            return exact.toPlainString();
        }
        if (value instanceof Long || value instanceof Integer) {
            return Phrase.of("%,d", ((Number) value).longValue());
        }
        return value instanceof Number number ? decimal(number.doubleValue()) : value.toString();
    }

    /**
     * Formats a figure with three significant digits, or with all digits before the decimal point if there are more.
     */
    private static String decimal(double value) {
        double size = Math.abs(value);
        int digits = size >= 1000 || size == 0 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 4;
        return Phrase.of("%,." + digits + "f", value);
    }
}
