package io.kipimo.bench.deadline;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class DeadlineBenchmarkITCase {
    @Test
    void everyDeadlineIsSaidAndMeasured() throws Exception {
        Context context = new Context(Context.BenchmarkEffort.TINY, 1, Context.StateBackend.HASHMAP, System.err);
        Result result = new DeadlineBenchmark().run(context);
        Table table = result.tables().get(0);
        assertThat(table.rows())
                .as("%s", result.notes())
                .extracting(row -> row.get(0))
                .containsExactly(8, 16, 32, 64, 128);
        for (List<Object> row : table.rows()) {
            for (String column : List.of("said", "measured")) {
                assertThat((double) row.get(table.columns().indexOf(column))).isBetween(0.0, 1.0);
            }
            assertThat((int) row.get(table.columns().indexOf("samples"))).isPositive();
        }
    }
}
