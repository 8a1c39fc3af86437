package io.kipimo.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Table;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplayBenchmarkITCase {
    @Test
    void everySkewIsTriedWithBothComponentsAndWithOne() throws Exception {
        Context context =
                new Context(Context.Effort.TINY, 1, Context.StateBackend.HASHMAP, System.err);
        Table table = new ReplayBenchmark().run(context).tables().get(0);
        int replayed = table.columns().indexOf("replayed/100");
        assertThat(table.rows()).hasSize(6);
        for (List<Object> row : table.rows()) {
            if (row.get(0).toString().endsWith("both")) {
                assertThat((double) row.get(replayed)).as("%s", row).isPositive();
            }
        }
    }
}
