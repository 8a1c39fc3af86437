package io.kipimo.bench.quality;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class BacklogBenchmarkITCase {
    @Test
    void bothSidesMeasureWhatTheyShould() throws Exception {
        Result result = new BacklogBenchmark()
                .run(new Context(Context.BenchmarkEffort.TINY, 1, Context.StateBackend.HASHMAP, System.err));
        Table table = result.tables().get(0);
        int verdict = table.columns().indexOf("rows");
        assertThat(table.rows()).hasSize(2).allMatch(row -> row.get(verdict).equals("right"));
    }
}
