package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.Kipimo;
import io.kipimo.sdk.KipimoConfig;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Services with a query in 15 s, each on one front end, by the Java SDK and the clients of Python and Go, with the
 * defaults of client and job. Partitions are idle after 10 s, so to the job it makes no difference whether the next
 * query comes then or after a minute. All are measured. Python and Go are left out, loudly, where their program or its
 * packages are missing; {@code -Dkipimo.python=…} names an interpreter that has them.
 */
@WithBackends
class QuietClientsITCase {
    private static final Path CLIENTS =
            Path.of("../../clients").toAbsolutePath().normalize();
    private static final int QUERIES = 2;
    private static final long PAUSE_SECONDS = 15;

    @Tag("full")
    @Test
    void allQueriesOfQuietServicesAreMeasured(Backends backends, FlinkCluster cluster) throws Exception {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "quiet.", Map.of());
        TopicAdmin.createMissing(kafka, 4, (short) 1);
        Map<String, String> expected = new TreeMap<>();
        List<Process> others = new ArrayList<>();
        try (TopicLog<Measurement> log = new TopicLog<>(kafka, Topic.QUALITY, Codecs.MEASUREMENT)) {
            for (String client : List.of("java", "python", "go")) {
                PolicyStore.publish(kafka, policy("quiet-" + client));
            }
            QualityJobs.start(cluster, kafka, 2, Map.of());
            start(
                    others,
                    List.of(
                            System.getProperty("kipimo.python", "python3"),
                            CLIENTS.resolve("python/examples/quiet.py").toString()),
                    "python",
                    kafka,
                    expected);
            start(others, List.of("go", "run", "./internal/quiet"), "go", kafka, expected);
            expect(expected, "java");
            try (Kipimo client = Kipimo.connect(KipimoConfig.builder("quiet-java", "front-1", kafka)
                    .initialSamplingRate(1)
                    .queryClass("default", ClassDefaults.ALL)
                    .build())) {
                for (int query = 0; query < QUERIES; query++) {
                    if (query > 0) {
                        TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
                    }
                    ask(client, "q" + query);
                }
                await("all queries are measured")
                        .atMost(PATIENCE)
                        .pollInterval(Duration.ofSeconds(1))
                        .untilAsserted(() -> assertThat(rows(log)).isEqualTo(expected));
            }
        } finally {
            others.forEach(Process::destroyForcibly);
        }
    }

    /** Starts a front end in another language, if it can run here. */
    private static void start(
            List<Process> others,
            List<String> command,
            String client,
            KafkaSettings kafka,
            Map<String, String> expected)
            throws IOException, InterruptedException {
        List<String> check = client.equals("go")
                ? List.of("go", "build", "-o", "/dev/null", "./internal/quiet")
                : List.of(command.get(0), "-c", "import kipimo.v1");
        Path directory = CLIENTS.resolve(client);
        Path output = Files.createTempFile("quiet-" + client, ".log");
        try {
            Process checked = run(check, directory, output);
            if (!checked.waitFor(3, TimeUnit.MINUTES) || checked.exitValue() != 0) {
                checked.destroyForcibly();
                throw new IOException(Files.readString(output));
            }
        } catch (IOException e) {
            System.err.printf("SKIPPED QuietClientsITCase for %s: %s%n", client, e.getMessage());
            return;
        }
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of(kafka.bootstrapServers(), kafka.topicPrefix()));
        others.add(run(all, directory, output));
        expect(expected, client);
    }

    private static Process run(List<String> command, Path directory, Path output) throws IOException {
        return new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    /** Half of each answer was late. */
    private static void expect(Map<String, String> expected, String client) {
        for (int query = 0; query < QUERIES; query++) {
            expected.put("quiet-" + client + "/q" + query, "COMPLETE 0.50..0.50");
        }
    }

    private static Map<String, String> rows(TopicLog<Measurement> log) {
        Map<String, String> rows = new TreeMap<>();
        log.readOn()
                .forEach(row -> rows.put(
                        row.service() + '/' + row.queryId(),
                        "%s %.2f..%.2f"
                                .formatted(
                                        row.completeness(),
                                        row.scores().get(0).low(),
                                        row.scores().get(0).high())));
        return rows;
    }

    private static void ask(Kipimo client, String id) throws InterruptedException {
        long started = System.currentTimeMillis() - 1;
        List<Invocation> invocations =
                List.of(new Invocation("a", Outcome.IN_TIME, 500), new Invocation("b", Outcome.TIMED_OUT, 1_000));
        client.meter().offered("default");
        client.meter().answered("default", invocations);
        client.emitter()
                .emit(AnswerBuilder.builder()
                        .service("quiet-java")
                        .queryId(id)
                        .queryClass("default")
                        .kind(AnswerKind.ONLINE)
                        .startedAtMillis(started)
                        .answeredAtMillis(System.currentTimeMillis())
                        .deadlineMillis(1)
                        .invocations(invocations)
                        .items(Items.NONE)
                        .build());
        emit(client, id, started, "a", Phase.ONLINE, 1);
        TimeUnit.MILLISECONDS.sleep(500);
        emit(client, id, started, "b", Phase.MATURE, 2);
    }

    private static void emit(Kipimo client, String id, long started, String component, Phase phase, long item) {
        client.emitter()
                .emit(PartialResultBuilder.builder()
                        .service("quiet-java")
                        .queryId(id)
                        .component(component)
                        .server("")
                        .phase(phase)
                        .completedAtMillis(System.currentTimeMillis())
                        .latencyMicros(500)
                        .items(Items.ofNumbers(new long[] {item}, new float[] {1}))
                        .startedAtMillis(started)
                        .build());
    }

    private static Policy policy(String service) {
        return Policy.builder()
                .service(service)
                .version(1)
                .metrics(List.of("tpr@2"))
                .expirationWindowMillis(10_000)
                .windowMillis(1_000)
                .slideMillis(1_000)
                .classes(List.of(ClassPolicy.builder()
                        .name("default")
                        .priority(0)
                        .objective(0.9)
                        .floor(1)
                        .build()))
                .build();
    }
}
