package io.kipimo.bench.foreseen;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class ForeseenBenchmarkITCase {
    @Test
    void everyMomentIsJudged() {
        Result result = new ForeseenBenchmark()
                .run(new Context(Context.BenchmarkEffort.TINY, 1, Context.StateBackend.HASHMAP, System.err));

        assertThat(result.tables()).allSatisfy(table -> assertThat(table.rows()).hasSize(6));
    }
}
