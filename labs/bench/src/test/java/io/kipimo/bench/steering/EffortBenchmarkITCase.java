package io.kipimo.bench.steering;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class EffortBenchmarkITCase {
    @Test
    void everyServiceThatCanBeHadIsJudged() throws Exception {
        System.setProperty(
                "kipimo.solr", Path.of("../solr/target").toAbsolutePath().toString());

        Result result = new EffortBenchmark()
                .run(new Context(Context.BenchmarkEffort.TINY, 1, Context.StateBackend.HASHMAP, System.err));

        List<List<Object>> verdicts = result.tables().get(3).rows();
        assertThat(verdicts).extracting(row -> row.get(0)).contains("solr", "example");
        assertThat(verdicts).extracting(row -> row.get(5)).containsAnyOf("stop", "go on");
        assertThat(result.tables()).allSatisfy(table -> assertThat(table.rows()).isNotEmpty());
    }
}
