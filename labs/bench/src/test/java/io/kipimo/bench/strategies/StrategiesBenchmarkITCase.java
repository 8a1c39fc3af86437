package io.kipimo.bench.strategies;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class StrategiesBenchmarkITCase {
    @Test
    void everyWayBringsTheStateBack() throws Exception {
        Context context = new Context(Context.BenchmarkEffort.TINY, 1, Context.StateBackend.HASHMAP, System.err);
        Result result = new StrategiesBenchmark().run(context);
        Table restoring = result.tables().get(0);
        assertThat(restoring.rows())
                .extracting(row -> row.get(restoring.columns().indexOf("state")))
                .containsOnly("right");
        Table rating = result.tables().get(1);
        assertThat(rating.rows())
                .extracting(row -> row.get(rating.columns().indexOf("unpredictable reads")))
                .containsOnly(0L);
    }
}
