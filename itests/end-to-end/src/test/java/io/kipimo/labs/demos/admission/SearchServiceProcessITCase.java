package io.kipimo.labs.demos.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.examples.search.load.ArrivalTrace;
import io.kipimo.examples.search.load.LoadGenerator;
import io.kipimo.examples.search.load.LoadResult;
import io.kipimo.examples.search.load.LoadTarget;
import io.kipimo.examples.search.load.TraceSettings;
import io.kipimo.examples.search.load.VocabularyClient;
import io.kipimo.examples.search.workload.QueryMix;
import io.kipimo.examples.search.workload.QueryWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SearchServiceProcessITCase {
    @TempDir
    private Path directory;

    @Tag("full")
    @Test
    void servesBothClassesAndEndsWhenItIsClosed() throws Exception {
        SearchServiceProcess service = SearchServiceProcess.start(List.of(), directory.resolve("service.log"));
        try (service;
                LoadGenerator generator = new LoadGenerator()) {
            assertThat(service.ready().documents()).isEqualTo(135_388);
            QueryWriter writer =
                    new QueryWriter(VocabularyClient.fetch(service.ports().vocabulary()));
            TraceSettings settings = TraceSettings.day(Duration.ofSeconds(3), 50, 1, QueryMix.HEAVIER, 1);

            LoadResult result = generator.run(
                    new LoadTarget(service.ports().high(), service.ports().low()),
                    ArrivalTrace.of(settings, writer),
                    1);

            assertThat(result.high().answered())
                    .isEqualTo(result.high().offered())
                    .isPositive();
            assertThat(result.low().answered())
                    .isEqualTo(result.low().offered())
                    .isPositive();
        }
        assertThat(service.isAlive()).isFalse();
    }
}
