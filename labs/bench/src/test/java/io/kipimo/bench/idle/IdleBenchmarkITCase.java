package io.kipimo.bench.idle;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Table;
import io.kipimo.jobs.submission.KipimoJob;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class IdleBenchmarkITCase {
    @Test
    void everyJobIsMeasuredBesideBareFlink() throws Exception {
        Context context = new Context(Context.BenchmarkEffort.TINY, 1, Context.StateBackend.HASHMAP, System.err);
        Table table = new IdleBenchmark().run(context).tables().get(0);
        assertThat(table.rows()).hasSize(1 + KipimoJob.values().length);
        assertThat(table.rows())
                .allSatisfy(row -> assertThat((double) row.get(table.columns().indexOf("% of a core")))
                        .isPositive());
    }
}
