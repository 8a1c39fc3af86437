package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.otlp.OtlpReceiver;
import io.kipimo.otlp.SpanRules;
import io.kipimo.otlp.SpanRulesFile;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.internal.net.Address;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The applications of {@code clients/python/examples/spans}, which go on without a retriever that fails, with the rules
 * in {@code docs/otlp.md}. Skipped where python3 or the package registry is missing. The installation takes a minute or
 * more, so only {@code -Pfull} runs it. {@code -Dkipimo.python.spans=…} names an interpreter that has all packages.
 */
@Tag("full")
@WithBackends
class PythonSpansITCase {
    private static final Path EXAMPLES =
            Path.of("../../clients/python/examples/spans").toAbsolutePath().normalize();
    private static final Path PAGE = Path.of("../../docs/otlp.md");
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String WHOLE = Completeness.COMPLETE + " 1.0000..1.0000";

    /** Nobody knows what the lost retriever would have found. */
    private static final String LACKING = Completeness.EXPIRED + " 0.0000..1.0000";

    private static final Map<String, String> EXPECTED =
            Map.of("whole", WHOLE, "nothing", WHOLE, "raises", LACKING, "swallows", LACKING, "slow", LACKING);

    /** The rules of an application, as its row on the page has them. */
    private static SpanRules rules(String application) throws IOException {
        Matcher row = Pattern.compile("`" + application + "\\.py`.*`(\\{.*})`").matcher(Files.readString(PAGE));
        assertThat(row.find()).as(application).isTrue();
        return SpanRulesFile.read(row.group(1).replaceFirst("}$", ", hold: 2s, top-k: 4, sampling: {rate: 1}}"));
    }

    /** Runs an application; returns its rows as they must be, by query. */
    private static Map<String, String> ask(String python, String application, int port, Path directory)
            throws IOException, InterruptedException {
        Path out = directory.resolve(application + ".out");
        Path log = directory.resolve(application + ".log");
        ProcessBuilder builder = new ProcessBuilder(
                        python, EXAMPLES.resolve(application + ".py").toString())
                .redirectOutput(out.toFile())
                .redirectError(log.toFile());
        builder.environment()
                .putAll(Map.of(
                        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
                        "http://127.0.0.1:" + port + "/v1/traces",
                        "OTEL_BSP_SCHEDULE_DELAY",
                        "200"));
        assertThat(builder.start().waitFor()).as(Files.readString(log)).isZero();
        Map<String, String> rows = new TreeMap<>();
        for (String line : Files.readAllLines(out)) {
            JsonNode asked = JSON.readTree(line);
            String question = asked.path("question").asText();
            // A pipeline of Haystack waits for all of its components.
            boolean isAwaited = application.startsWith("haystack") && question.equals("slow");
            rows.put(asked.path("trace").asText(), isAwaited ? WHOLE : EXPECTED.get(question));
        }
        assertThat(rows).hasSameSizeAs(EXPECTED);
        return rows;
    }

    @Test
    void aRetrieverThatFailsSilentlyIsARowBelowOneAndOneThatRightlyFindsNothingIsNot(
            Backends backends, FlinkCluster cluster, @TempDir Path directory) throws Exception {
        String python = Python.with(
                PythonSpansITCase.class,
                "kipimo.python.spans",
                directory,
                "opentelemetry-exporter-otlp-proto-http",
                "opentelemetry-instrumentation-langchain>=0.62.4",
                "langchain-core",
                "haystack-ai>=3",
                "openinference-instrumentation-haystack");
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "python-spans.", Map.of());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        Map<String, String> expected = new TreeMap<>();
        List<OtlpReceiver> receivers = new ArrayList<>();
        try (TopicLog<Measurement> log = new TopicLog<>(kafka, Topic.QUALITY, Codecs.MEASUREMENT)) {
            List<String> applications = List.of("gather", "langchain_app", "haystack_app");
            for (String application : applications) {
                PolicyStore.publish(kafka, OtlpITCase.policy(application));
            }
            QualityJobs.start(cluster, kafka, 1, Map.of());
            for (String application : applications) {
                SpanRules rules = rules(application);
                OtlpReceiver receiver = OtlpReceiver.start(
                        new Address("127.0.0.1", 0),
                        rules,
                        (service, emittedUpTo) -> OtlpITCase.control(service, rules, kafka, emittedUpTo),
                        System::currentTimeMillis);
                receivers.add(receiver);
                expected.putAll(ask(python, application, receiver.port(), directory));
            }
            await("all queries are measured")
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(OtlpITCase.rows(log)).isEqualTo(expected));
        } finally {
            receivers.forEach(OtlpReceiver::close);
        }
    }
}
