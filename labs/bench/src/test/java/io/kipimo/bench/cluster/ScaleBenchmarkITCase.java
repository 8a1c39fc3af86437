package io.kipimo.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Table;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class ScaleBenchmarkITCase {
    @Test
    void onlyAShuffleSendsMostBytesBetweenTaskManagers() throws Exception {
        Context context = new Context(Context.BenchmarkEffort.TINY, 1, Context.StateBackend.HASHMAP, System.err);
        Table table = new ScaleBenchmark().run(context).tables().get(0);
        assertThat(table.rows()).extracting(row -> row.get(1)).containsExactly("LOCAL", "KEYED");
        int between = table.columns().indexOf("bytes between TaskManagers/event");
        assertThat((double) table.rows().get(0).get(between))
                .isLessThan((double) table.rows().get(1).get(between));
    }
}
