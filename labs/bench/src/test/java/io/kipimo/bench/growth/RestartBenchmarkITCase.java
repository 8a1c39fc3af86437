package io.kipimo.bench.growth;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Table;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class RestartBenchmarkITCase {
    @Test
    void theJobMeasuresOnFromBothKindsOfSavepoint() throws Exception {
        Table table = new RestartBenchmark()
                .run(new Context(Context.BenchmarkEffort.TINY, 1, Context.StateBackend.HASHMAP, System.err))
                .tables()
                .get(0);
        assertThat(table.rows()).hasSize(4);
        for (List<Object> row : table.rows()) {
            assertThat((long) row.get(table.columns().indexOf("open queries"))).isGreaterThan(1_000);
            assertThat((double) row.get(table.columns().indexOf("s to first row")))
                    .isGreaterThan((double) row.get(table.columns().indexOf("s to running")));
        }
    }
}
