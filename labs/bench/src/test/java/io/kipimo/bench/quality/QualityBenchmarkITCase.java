package io.kipimo.bench.quality;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class QualityBenchmarkITCase {
    @Test
    void allSidesMeasureTheSame() throws Exception {
        run(Context.StateBackend.ROCKSDB);
    }

    @Test
    void allSidesMeasureTheSameOnTheHeap() throws Exception {
        run(Context.StateBackend.HASHMAP);
    }

    private static void run(Context.StateBackend backend) throws Exception {
        Context context = new Context(Context.BenchmarkEffort.TINY, 1, backend, System.err);
        Result result = new QualityBenchmark().run(context);
        Table table = result.tables().get(0);
        int measurements = table.columns().indexOf("measurements");
        assertThat(table.rows())
                .extracting(row -> row.get(measurements))
                .as("%s", result.notes())
                .containsExactly("right", "right", null, "right", "right");
        int perSecond = table.columns().indexOf("events/s best");
        for (List<Object> row : table.rows()) {
            assertThat((double) row.get(perSecond)).isPositive();
        }
    }
}
