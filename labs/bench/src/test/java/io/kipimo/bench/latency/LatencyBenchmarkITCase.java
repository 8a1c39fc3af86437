package io.kipimo.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class LatencyBenchmarkITCase {
    @Test
    void everyWayMeasuresQueriesInPositiveTime() throws Exception {
        Context context = new Context(Context.BenchmarkEffort.TINY, 1, Context.StateBackend.HASHMAP, System.err);
        Result result = new LatencyBenchmark().run(context);
        Table table = result.tables().get(0);
        assertThat(table.rows()).hasSize(2);
        for (List<Object> row : table.rows()) {
            assertThat((long) row.get(table.columns().indexOf("measurements"))).isPositive();
            assertThat((double) row.get(table.columns().indexOf("p50"))).isPositive();
        }
    }
}
