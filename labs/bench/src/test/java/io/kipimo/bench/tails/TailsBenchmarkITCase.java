package io.kipimo.bench.tails;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class TailsBenchmarkITCase {
    @Test
    void bothSidesGiveEveryWindow() throws Exception {
        Context context = new Context(Context.BenchmarkEffort.TINY, 1, Context.StateBackend.HASHMAP, System.err);
        Result result = new TailsBenchmark().run(context);
        Table table = result.tables().get(0);
        assertThat(table.rows())
                .extracting(row -> row.get(table.columns().indexOf("windows")))
                .as("%s", result.notes())
                .containsExactly("right", "right");
    }
}
