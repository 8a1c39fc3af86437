package io.kipimo.bench.foreseen;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class ForeseenBenchmarkITCase {
    @Test
    void everyDecisionIsJudgedOnEveryService() throws Exception {
        System.setProperty(
                "kipimo.solr", Path.of("../solr/target").toAbsolutePath().toString());

        Result result = new ForeseenBenchmark()
                .run(new Context(Context.BenchmarkEffort.TINY, 1, Context.StateBackend.HASHMAP, System.err));

        List<List<Object>> verdicts = result.tables().get(5).rows();
        assertThat(verdicts).extracting(row -> row.get(0)).contains("example", "Solr", "ubora, simulated");
        assertThat(verdicts).extracting(row -> row.get(4)).containsAnyOf("pays", "does not pay");
        assertThat(result.tables()).allSatisfy(table -> assertThat(table.rows()).isNotEmpty());
    }
}
