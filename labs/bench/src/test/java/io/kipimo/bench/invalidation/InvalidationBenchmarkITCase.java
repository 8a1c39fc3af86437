package io.kipimo.bench.invalidation;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class InvalidationBenchmarkITCase {
    private static final int TINY_QUERIES = 1_000;

    @Test
    void theIndexFindsWhatTestingAllFinds() throws Exception {
        Context context = new Context(Context.BenchmarkEffort.TINY, 1, Context.StateBackend.HASHMAP, System.err);
        Result result = new InvalidationBenchmark().run(context);
        Table rates = result.tables().get(0);
        assertThat(rates.rows()).hasSize(1);
        List<Object> row = rates.rows().get(0);
        assertThat(row.get(rates.columns().indexOf("queries"))).isEqualTo(TINY_QUERIES);
        assertThat((long) row.get(rates.columns().indexOf("matches"))).isPositive();
        assertThat(row.get(rates.columns().indexOf("same matches"))).isEqualTo("yes");
        Table latencies = result.tables().get(1);
        List<Object> latency = latencies.rows().get(0);
        assertThat((long) latency.get(latencies.columns().indexOf("notifications")))
                .isPositive();
        assertThat((double) latency.get(latencies.columns().indexOf("p99"))).isPositive();
        Table work = result.tables().get(3);
        long matches = (long) work.rows().get(0).get(work.columns().indexOf("matches of all"));
        for (List<Object> grid : work.rows()) {
            int rows = (int) grid.get(work.columns().indexOf("rows"));
            assertThat((double) grid.get(work.columns().indexOf("share of the writes")))
                    .as("%s rows", rows)
                    .isLessThan(1.5 / rows);
            assertThat(grid.get(work.columns().indexOf("matches of all"))).isEqualTo(matches);
        }
        Table wholeWay = result.tables().get(2);
        List<Object> way = wholeWay.rows().get(0);
        assertThat((long) way.get(wholeWay.columns().indexOf("records told")))
                .as("every measured insert")
                .isGreaterThanOrEqualTo(2_000);
        assertThat((double) way.get(wholeWay.columns().indexOf("records p99"))).isPositive();
    }
}
