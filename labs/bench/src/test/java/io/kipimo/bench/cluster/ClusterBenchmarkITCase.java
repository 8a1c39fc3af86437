package io.kipimo.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class ClusterBenchmarkITCase {
    @Test
    void severalProcessesMeasureAllThatThereIs() throws Exception {
        Context context = new Context(Context.BenchmarkEffort.TINY, 1, Context.StateBackend.HASHMAP, System.err);
        Result result = new ClusterBenchmark().run(context);
        Table table = result.tables().get(0);
        assertThat(table.rows())
                .extracting(
                        row -> row.get(table.columns().indexOf("where")),
                        row -> row.get(table.columns().indexOf("parallelism")),
                        row -> row.get(table.columns().indexOf("measurements")))
                .containsExactly(tuple("2 TaskManagers", 4, "right"));
        int perCpuSecond = table.columns().indexOf("events/CPU-s best");
        assertThat(table.rows())
                .allSatisfy(row -> assertThat((double) row.get(perCpuSecond)).isPositive());
    }
}
