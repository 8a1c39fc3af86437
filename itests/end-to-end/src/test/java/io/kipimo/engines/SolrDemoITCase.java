package io.kipimo.engines;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.cli.Main;
import io.kipimo.embedded.kafka.EmbeddedKafka;
import io.kipimo.examples.search.workload.QueryMix;
import io.kipimo.examples.search.workload.QueryWriter;
import io.kipimo.labs.demos.admission.DemoCommands;
import io.kipimo.labs.demos.solr.SolrBehindGateway;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code kipimo demo --engine solr}. The tests do not judge the figures. */
@Tag("full")
class SolrDemoITCase {
    private static final Path BED =
            Path.of("..", "solr", "target").toAbsolutePath().normalize();
    private static final int QUERIES = 10;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Test
    void itsQueriesAreAnsweredByBothClassesAndCounted(@TempDir Path directory) throws Exception {
        try (EmbeddedKafka broker = EmbeddedKafka.start()) {
            KafkaSettings kafka = new KafkaSettings(broker.bootstrapServers(), "demo.", Map.of());
            TopicAdmin.createMissing(kafka, 1, (short) 1);
            try (SolrBehindGateway solr = SolrBehindGateway.start(
                    BED, "search", kafka, new SolrBehindGateway.SolrSettings(1, 5_000, 10, 1_000), directory)) {
                QueryWriter writer = new QueryWriter(solr.vocabulary());
                SplittableRandom random = new SplittableRandom(1);
                int found = 0;
                for (int query = 0; query < QUERIES; query++) {
                    String words = writer.write(QueryMix.HEAVIER.at(0.5), random);
                    for (int port :
                            List.of(solr.ports().highPort(), solr.ports().lowPort())) {
                        found += ask(port, words).at("/response/docs").size();
                    }
                }

                assertThat(found).isPositive();
                await("all answers are counted")
                        .atMost(PATIENCE)
                        .until(() -> solr.counted("answers_total") == 2 * QUERIES);
                assertThat(solr.counted("answers_unmeasurable_total")).isZero();
                assertThat(solr.counted("requests_total", "high")).isEqualTo(QUERIES);
                assertThat(solr.counted("responses_cut_total", "high")).isZero();
                assertThat(solr.admitted()).isEqualTo(1);
            }
        }
    }

    private JsonNode ask(int port, String words) throws Exception {
        String target = SolrBehindGateway.SELECT + "q=" + URLEncoder.encode(words, StandardCharsets.UTF_8);
        HttpResponse<String> response = http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + target))
                        .build(),
                BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    @Test
    void theLoopRunsOnSolrAndIsReported(@TempDir Path directory) throws Exception {
        System.setProperty("kipimo.solr", BED.toString());
        StringWriter out = new StringWriter();
        CommandLine command = Main.commandLine(new DemoCommands()).setOut(new PrintWriter(out));

        int exitCode = command.execute(
                "demo", "--engine=solr", "--minutes=2", "--json", "--headless", "--report=" + directory);

        assertThat(exitCode).isZero();
        JsonNode runs = JSON.readTree(out.toString()).get("runs");
        assertThat(runs).hasSize(2);
        for (JsonNode run : runs) {
            assertThat(run.get("samples").asInt()).as("measured: %s", run).isPositive();
            assertThat(run.get("decisions").asInt()).as("controlled: %s", run).isPositive();
        }
        assertThat(runs.get(1).get("lowAdmittedShare").asDouble())
                .as("full sharing")
                .isEqualTo(1);
        assertThat(directory.resolve("report.html")).content().contains("SolrCloud");
    }
}
