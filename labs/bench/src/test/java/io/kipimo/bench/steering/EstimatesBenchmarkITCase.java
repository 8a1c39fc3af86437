package io.kipimo.bench.steering;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Table;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class EstimatesBenchmarkITCase {
    @Test
    void bothEstimatesAreJudgedOnRecordedAnswers() throws Exception {
        Context context = new Context(Context.BenchmarkEffort.TINY, 1, Context.StateBackend.HASHMAP, System.err);

        Table table = new EstimatesBenchmark().run(context).tables().get(0);

        assertThat(table.rows())
                .extracting(row -> row.get(0) + " " + row.get(2))
                .containsExactly(
                        "mild stratified",
                        "mild model-assisted",
                        "mild stratified",
                        "mild model-assisted",
                        "heavy stratified",
                        "heavy model-assisted",
                        "heavy stratified",
                        "heavy model-assisted");
    }
}
