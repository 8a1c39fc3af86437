package io.kipimo.bench.quality;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class JoinCostBenchmarkITCase {
    @Test
    void moreItemsCostMore() throws Exception {
        Context context = new Context(Context.BenchmarkEffort.TINY, 1, Context.StateBackend.HASHMAP, System.err);
        Result result = new JoinCostBenchmark().run(context);
        Table table = result.tables().get(0);
        int bytes = table.columns().indexOf("bytes an event");
        List<List<Object>> rows = table.rows();
        assertThat(rows).hasSize(4);
        assertThat((double) rows.get(0).get(bytes)).isPositive().isLessThan((double)
                rows.get(1).get(bytes));
    }
}
