package io.kipimo.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

class MicroBenchmarksTest {
    @Test
    void benchmarksOfTheModulesAreFound() {
        OutputFormat silence = OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT);
        assertThat(BenchmarkList.defaultList().getAll(silence, List.of()))
                .anyMatch(found -> found.getUsername().contains("MergesBenchmark"));
    }
}
