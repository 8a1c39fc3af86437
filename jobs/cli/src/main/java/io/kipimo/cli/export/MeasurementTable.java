package io.kipimo.cli.export;

import io.kipimo.cli.export.ParquetFile.Column;
import io.kipimo.cli.export.ParquetFile.ColumnType;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Score;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Writes measurements as a table with a row for each query and metric. A query without a quality has one row. */
final class MeasurementTable {
    /** A query measured by one metric. A null score means that the query has no quality. */
    private record MeasurementRow(Measurement measurement, Score score) {}

    private static final List<Column<MeasurementRow>> COLUMNS = List.of(
            new Column<>("service", ColumnType.TEXT, r -> r.measurement().service()),
            new Column<>("query_id", ColumnType.TEXT, r -> r.measurement().queryId()),
            new Column<>("class", ColumnType.TEXT, r -> named(r.measurement().queryClass())),
            new Column<>("variant", ColumnType.TEXT, r -> named(r.measurement().variant())),
            new Column<>(
                    "started_at", ColumnType.TIMESTAMP, r -> r.measurement().startedAtMillis()),
            new Column<>(
                    "measured_at", ColumnType.TIMESTAMP, r -> r.measurement().measuredAtMillis()),
            new Column<>("completeness", ColumnType.TEXT, r -> r.measurement()
                    .completeness()
                    .name()),
            new Column<>(
                    "unmeasurable",
                    ColumnType.TEXT,
                    r -> r.measurement().unmeasurable().map(Enum::name).orElse(null)),
            new Column<>("degraded", ColumnType.BOOLEAN, r -> r.measurement().degraded()),
            new Column<>("truncated", ColumnType.BOOLEAN, r -> r.measurement().truncated()),
            new Column<>("weight", ColumnType.INT, r -> r.measurement().represents()),
            new Column<>("top_k", ColumnType.INT, r -> r.measurement().topK()),
            new Column<>(
                    "metric",
                    ColumnType.TEXT,
                    r -> r.score() == null ? null : r.score().metric()),
            new Column<>(
                    "low",
                    ColumnType.DOUBLE,
                    r -> r.score() == null ? null : r.score().low()),
            new Column<>(
                    "high",
                    ColumnType.DOUBLE,
                    r -> r.score() == null ? null : r.score().high()),
            new Column<>("not_asked_loss", ColumnType.DOUBLE, r -> r.measurement()
                    .notAskedLoss()
                    .orElse(null)),
            new Column<>(
                    "late_components",
                    ColumnType.TEXT,
                    r -> components(r, c -> c.outcome().isLate())),
            new Column<>("missing_components", ColumnType.TEXT, r -> components(r, ComponentShare::missing)));

    private final ParquetFile<MeasurementRow> file;

    MeasurementTable(Path path) throws IOException {
        file = new ParquetFile<>(path, COLUMNS);
    }

    /** @throws UncheckedIOException if the row cannot be written */
    void add(Measurement measurement) {
        try {
            if (measurement.scores().isEmpty()) {
                file.add(new MeasurementRow(measurement, null));
            }
            for (Score score : measurement.scores()) {
                file.add(new MeasurementRow(measurement, score));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long size() {
        return file.size();
    }

    void close() throws IOException {
        file.close();
    }

    private static String named(String name) {
        return name.isEmpty() ? null : name;
    }

    /** Names of the chosen components, separated by commas; null if there are none. */
    private static String components(MeasurementRow row, Predicate<ComponentShare> which) {
        return named(row.measurement().components().stream()
                .filter(which)
                .map(ComponentShare::component)
                .collect(Collectors.joining(",")));
    }
}
