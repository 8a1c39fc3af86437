package io.kipimo.bench.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class FilterBenchmarkITCase {
    @Test
    void everySideDoesItsOperations() throws Exception {
        Context context = new Context(Context.BenchmarkEffort.TINY, 1, Context.StateBackend.HASHMAP, System.err);
        Result result = new FilterBenchmark().run(context);
        Table table = result.tables().get(0);
        int perSecond = table.columns().indexOf("operations/s");
        assertThat(table.rows()).hasSize(5);
        for (List<Object> row : table.rows()) {
            assertThat((double) row.get(perSecond)).isPositive();
        }
    }
}
