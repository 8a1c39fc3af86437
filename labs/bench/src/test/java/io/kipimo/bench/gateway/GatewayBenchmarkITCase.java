package io.kipimo.bench.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class GatewayBenchmarkITCase {
    @Test
    void everyProxyPassesRequestsOn() throws Exception {
        Context context = new Context(Context.BenchmarkEffort.TINY, 1, Context.StateBackend.HASHMAP, System.err);
        Result result = new GatewayBenchmark().run(context);
        for (Table table : result.tables()) {
            int perSecond = table.columns().indexOf("requests/s");
            assertThat(table.rows()).hasSizeGreaterThanOrEqualTo(2);
            for (List<Object> row : table.rows()) {
                assertThat((double) row.get(perSecond)).as("%s", row).isPositive();
            }
        }
    }
}
