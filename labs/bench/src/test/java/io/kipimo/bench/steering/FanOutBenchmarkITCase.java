package io.kipimo.bench.steering;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class FanOutBenchmarkITCase {
    @Test
    void everyChosenPartitioningIsJudged() {
        Context context = new Context(
                Context.BenchmarkEffort.TINY,
                1,
                Context.StateBackend.HASHMAP,
                System.err,
                OptionalInt.empty(),
                Optional.empty(),
                Map.of(
                        Context.PARTITIONINGS, List.of("tier", "topic"),
                        Context.MIXES, List.of("shift")));

        Result result = new FanOutBenchmark().run(context);

        assertThat(result.tables().get(0).rows()).extracting(row -> row.get(1)).containsExactly("topic", "tier");
        assertThat(result.tables()).allSatisfy(table -> assertThat(table.rows()).isNotEmpty());
    }
}
