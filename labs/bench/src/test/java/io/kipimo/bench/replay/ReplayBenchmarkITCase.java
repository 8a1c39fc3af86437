package io.kipimo.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Table;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class ReplayBenchmarkITCase {
    @Test
    void matureAnswersComeAndTogglingStandsBeside() throws Exception {
        Context context = new Context(Context.BenchmarkEffort.TINY, 1, Context.StateBackend.HASHMAP, System.err);
        List<Table> tables = new ReplayBenchmark().run(context).tables();
        Table skewed = tables.get(0);
        assertThat(skewed.rows()).hasSize(2);
        somethingIsMature(skewed, "both", "replayed/100");
        somethingIsMature(tables.get(1), "gateway", "mature/100");
        somethingIsMature(tables.get(1), "tagged, memos", "mature/100");
        somethingIsMature(tables.get(1), "tagged, no memos", "mature/100");
        assertThat(tables.get(1).rows())
                .filteredOn(row -> row.get(0).toString().startsWith("toggling"))
                .isNotEmpty();
    }

    private static void somethingIsMature(Table table, String which, String column) {
        assertThat(table.rows())
                .filteredOn(row -> row.get(0).toString().contains(which))
                .isNotEmpty()
                .allSatisfy(row -> assertThat((double) row.get(table.columns().indexOf(column)))
                        .isPositive());
    }
}
