package io.kipimo.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.kipimo.cli.advice.HttpGates;
import io.kipimo.console.Console;
import io.kipimo.console.server.ServerSettings;
import io.kipimo.embedded.process.Programs;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The metric code of Argo Rollouts and the webhook code of Flagger, with the files of {@code docker/gates}, against a
 * console. Skipped where Go or the modules are missing. They are compiled with Kubernetes' client, which takes minutes,
 * so only {@code -Pfull} runs it.
 */
@Tag("full")
@WithBackends
class RolloutsITCase {
    private static final Path GATES = Path.of("../gates").toAbsolutePath().normalize();
    private static final String TOKEN = "a-token-of-this-test";
    private static final int BATCHES = 20;

    @TempDir
    private Path directory;

    @Test
    void argoAndFlaggerJudgeByTheGate(Backends backends) throws Exception {
        String go = Programs.go().map(Path::toString).orElseGet(() -> skip("no Go"));
        Path log = directory.resolve("go.log");
        if (run(log, Map.of(), go, "mod", "download") != 0) {
            skip("modules cannot be downloaded: " + Files.readString(log));
        }
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "gates.", Map.of());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        PolicyStore.publish(kafka, policy());
        publish(kafka);
        try (Console console = Console.start(
                kafka,
                Duration.ofHours(1),
                new ServerSettings(ServerSettings.LOOPBACK, 0, Optional.of(TOKEN)),
                new HttpGates(kafka),
                Optional.empty())) {
            Map<String, String> environment = Map.of("KIPIMO_CONSOLE", console.address(), "KIPIMO_TOKEN", TOKEN);
            int code = run(log, environment, go, "test", "-count=1", "-v", "./...");
            assertThat(code).as(Files.readString(log)).isZero();
            assertThat(Files.readString(log))
                    .contains("--- PASS: TestArgoRolloutsJudgesByTheGate")
                    .contains("--- PASS: TestFlaggerAdvancesOnlyOnPass");
        }
    }

    private static int run(Path log, Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(GATES.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        if (!process.waitFor(15, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            skip(String.join(" ", command) + " took more than 15 minutes");
        }
        return process.exitValue();
    }

    private static String skip(String why) {
        System.err.println("SKIPPED RolloutsITCase: " + why);
        return abort(why);
    }

    private static Policy policy() {
        return Policy.builder()
                .service("search")
                .version(1)
                .metrics(List.of("tpr@10"))
                .topK(10)
                .classes(List.of(
                        ClassPolicy.builder().name("high").objective(0.5).build()))
                .build();
    }

    /** Control batches: the canary's answers lack more than those of the other two. */
    private static void publish(KafkaSettings kafka) {
        long now = System.currentTimeMillis();
        Map<String, Double> qualities = Map.of("canary", 0.8, "equal", 0.98, "stable", 0.98);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer())) {
            qualities.forEach((variant, quality) -> {
                for (int i = 1; i <= BATCHES; i++) {
                    var unused = producer.send(new ProducerRecord<>(
                            kafka.name(Topic.VARIANT_WINDOWS),
                            Codecs.QUALITY_WINDOW.encode(batch(variant, quality, now - 10_000L * i))));
                }
            });
        }
    }

    /** Half of the answers lacked a component, and lost all alike. */
    private static QualityWindow batch(String variant, double quality, long endMillis) {
        double mean = quality;
        // Clean answers have quality 1, degraded ones 2 * mean - 1.
        double deviation = (1 - mean) * Math.sqrt(100 / 99.0);
        return QualityWindow.builder()
                .service("search")
                .queryClass("high")
                .variant(variant)
                .metric("tpr@10")
                .kind(WindowKind.BATCH)
                .startMillis(endMillis - 10_000)
                .endMillis(endMillis)
                .offered(1_000)
                .answered(1_000)
                .timedOut(500)
                .samples(100)
                .degradedSamples(50)
                .plainMean(mean)
                .standardDeviation(deviation)
                .build();
    }
}
