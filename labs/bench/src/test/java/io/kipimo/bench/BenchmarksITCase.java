package io.kipimo.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.NamedBenchmark;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each benchmark measures every side that it names. */
@Tag("full")
class BenchmarksITCase {
    /** What a benchmark promises beyond figures above 0, of its first table. */
    private static final Map<String, Consumer<Table>> ALSO = Map.of(
            "join-cost",
                    table -> assertThat(figures(table, "bytes an event").subList(0, 2))
                            .as("more items cost more")
                            .isSorted(),
            "restart",
                    table -> assertThat(figures(table, "s to first row"))
                            .as("rows come after the job runs")
                            .zipSatisfy(figures(table, "s to running"), (row, running) -> assertThat(row)
                                    .isGreaterThan(running)),
            "steering", table -> assertThat(cells(table, "way")).doesNotHaveDuplicates());

    /**
     * @param sizes rows of its first tables; empty: any
     * @param columns above 0 in each row of the tables that have them, or {@code right}
     * @param note among its notes; empty: any
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            duplicates      | 3 3 12 | requests          | 0 requests failed, 0 results disagreed.
            filter          | 5      | operations/s      |
            foreseen        | 6 6    | queries           |
            gateway         |        | requests/s        |
            restart         | 4      | open queries      |
            idle            | 8      | % of a core       |
            quality-latency | 2      | measurements, p50 |
            backlog         |        | rows              |
            join-cost       | 4      | bytes an event    |
            estimates       | 8      | batches           |
            fan-out         | 2      |                   |
            steering        | 9      | high q            |
            """)
    void everySideIsMeasured(String name, String sizes, String columns, String note) throws Exception {
        NamedBenchmark named = BenchCommand.BENCHMARKS.stream()
                .filter(b -> b.name().equals(name))
                .findFirst()
                .orElseThrow();
        Map<String, List<String>> only = name.equals("fan-out")
                ? Map.of(Context.PARTITIONINGS, List.of("tier", "topic"), Context.MIXES, List.of("shift"))
                : Map.of();
        Result result = named.benchmark()
                .run(new Context(
                        Context.BenchmarkEffort.TINY,
                        1,
                        Context.StateBackend.HASHMAP,
                        System.err,
                        OptionalInt.empty(),
                        Optional.empty(),
                        only));

        assertThat(result.tables()).isNotEmpty().allSatisfy(table -> assertThat(table.rows())
                .isNotEmpty());
        if (sizes != null) {
            assertThat(result.tables())
                    .extracting(table -> String.valueOf(table.rows().size()))
                    .startsWith(sizes.split(" "));
        }
        if (note != null) {
            assertThat(result.notes()).contains(note);
        }
        for (String column : columns == null ? new String[0] : columns.split(", ")) {
            assertThat(result.tables())
                    .flatExtracting(table -> cells(table, column))
                    .as(column)
                    .isNotEmpty()
                    .allMatch(cell -> cell instanceof Number figure ? figure.doubleValue() > 0 : "right".equals(cell));
        }
        ALSO.getOrDefault(name, table -> {}).accept(result.tables().get(0));
    }

    private static List<Double> figures(Table table, String column) {
        return cells(table, column).stream()
                .map(cell -> ((Number) cell).doubleValue())
                .toList();
    }

    private static List<Object> cells(Table table, String column) {
        int at = table.columns().indexOf(column);
        return at < 0
                ? List.of()
                : table.rows().stream().map(row -> row.get(at)).toList();
    }
}
