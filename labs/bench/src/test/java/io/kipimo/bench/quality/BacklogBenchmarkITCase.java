package io.kipimo.bench.quality;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class BacklogBenchmarkITCase {
    @Test
    void bothSidesMeasureWhatTheyShould() throws Exception {
        Result result = new BacklogBenchmark()
                .run(new Context(Context.BenchmarkEffort.TINY, 1, Context.StateBackend.HASHMAP, System.err));
        assertThat(result.tables())
                .flatExtracting(BacklogBenchmarkITCase::verdicts)
                .hasSize(3)
                .allMatch("right"::equals);
    }

    private static List<Object> verdicts(Table table) {
        int verdict = table.columns().indexOf("rows");
        return table.rows().stream().map(row -> row.get(verdict)).toList();
    }
}
