package io.kipimo.bench.duplicates;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class DuplicatesBenchmarkITCase {
    @Test
    void readsAndWritesOfOneTwoAndFourAreAnsweredAlike() throws Exception {
        Context context = new Context(Context.BenchmarkEffort.TINY, 1, Context.StateBackend.HASHMAP, System.err);
        Result result = new DuplicatesBenchmark().run(context);

        assertThat(result.tables()).extracting(t -> t.rows().size()).containsExactly(3, 3, 12);
        for (Table table : result.tables()) {
            int requests = table.columns().indexOf("requests");
            for (List<Object> row : table.rows()) {
                assertThat((long) row.get(requests)).as("%s", row).isPositive();
            }
        }
        assertThat(result.notes()).contains("0 requests failed, 0 results disagreed.");
    }
}
