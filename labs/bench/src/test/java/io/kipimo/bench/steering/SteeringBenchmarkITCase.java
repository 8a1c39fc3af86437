package io.kipimo.bench.steering;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class SteeringBenchmarkITCase {
    @Test
    void everyWayIsMeasured() throws Exception {
        Context context = new Context(Context.BenchmarkEffort.TINY, 1, Context.StateBackend.HASHMAP, System.err);
        Result result = new SteeringBenchmark().run(context);
        Table table = result.tables().get(0);
        assertThat(table.rows())
                .as("%s", result.notes())
                .extracting(row -> row.get(table.columns().indexOf("way")))
                .containsExactlyElementsOf(
                        Arrays.stream(Way.values()).map(Way::title).toList());
        for (List<Object> row : table.rows()) {
            assertThat((BigDecimal) row.get(table.columns().indexOf("high q")))
                    .as("%s", row)
                    .isBetween(BigDecimal.ZERO, BigDecimal.ONE);
        }
        assertThat(result.plots()).hasSize(2);
    }
}
