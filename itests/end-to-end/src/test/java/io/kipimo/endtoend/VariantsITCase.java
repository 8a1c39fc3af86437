package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.cli.advice.HttpGates;
import io.kipimo.console.Console;
import io.kipimo.console.server.ServerSettings;
import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.quality.QualityJob;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.SamplingPolicy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.Kipimo;
import io.kipimo.sdk.KipimoConfig;
import io.kipimo.sdk.ServiceMeter;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;

/**
 * Three variants answer the queries of one class. In the canary a component is often late, in the other two nearly
 * never. The gate fails the canary and passes the equal one, on the command line and over HTTP.
 */
@WithBackends
class VariantsITCase {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int ITEMS = 10;

    /** An instance of the service, which answers for one variant. */
    private static final class Instance implements AutoCloseable {
        private final Kipimo kipimo;
        private final ServiceMeter meter;
        private final String variant;
        private final int lateEvery;
        private int next;

        /** @param lateEvery every so manieth query lacks half of its items */
        Instance(String variant, int lateEvery, KafkaSettings kafka) {
            this.variant = variant;
            this.lateEvery = lateEvery;
            kipimo = Kipimo.connect(KipimoConfig.builder("shop", variant + "-1", kafka)
                    .initialSamplingRate(1)
                    .queryClass("high", ClassDefaults.ALL)
                    .variant(variant.equals("stable") ? variant : "")
                    .build());
            // One names the variant of the instance, the others that of each query.
            meter = kipimo.meter().ofVariant(variant);
        }

        void ask(int queries) {
            for (int i = 0; i < queries; i++) {
                ask();
            }
        }

        private void ask() {
            String id = variant + "-" + next++;
            boolean isLate = next % lateEvery == 0;
            long now = System.currentTimeMillis();
            List<Invocation> invocations = List.of(
                    new Invocation("fast", Outcome.IN_TIME, 5_000),
                    new Invocation("slow", isLate ? Outcome.TIMED_OUT : Outcome.IN_TIME, isLate ? 30_000 : 6_000));
            meter.offered("high");
            meter.answered("high", invocations);
            Answer answer = AnswerBuilder.builder()
                    .service("shop")
                    .queryId(id)
                    .queryClass("high")
                    .kind(AnswerKind.ONLINE)
                    .startedAtMillis(now - 40)
                    .answeredAtMillis(now - 10)
                    .deadlineMillis(30)
                    .topK(ITEMS)
                    .invocations(invocations)
                    .variant(variant.equals("stable") ? "" : meter.variant())
                    .build();
            kipimo.emitter().emit(answer);
            if (isLate) {
                emit(id, "fast", Phase.ONLINE, 1, now);
                emit(id, "slow", Phase.MATURE, 0, now);
            }
        }

        /** Every second of the items. */
        private void emit(String id, String component, Phase phase, int first, long now) {
            long[] ids = new long[ITEMS / 2];
            float[] scores = new float[ids.length];
            for (int i = 0; i < ids.length; i++) {
                ids[i] = first + 2L * i;
                scores[i] = ITEMS - ids[i];
            }
            kipimo.emitter()
                    .emit(PartialResultBuilder.builder()
                            .service("shop")
                            .queryId(id)
                            .component(component)
                            .server(component + "-1")
                            .phase(phase)
                            .completedAtMillis(now)
                            .latencyMicros(phase == Phase.ONLINE ? 5_000 : 40_000)
                            .items(Items.ofNumbers(ids, scores))
                            .startedAtMillis(now - 40)
                            .build());
        }

        @Override
        public void close() {
            kipimo.close();
        }
    }

    private static Policy policy() {
        return Policy.builder()
                .service("shop")
                .version(1)
                .metrics(List.of("tpr@" + ITEMS))
                .topK(ITEMS)
                .expirationWindowMillis(2_000)
                .windowMillis(5_000)
                .slideMillis(1_000)
                .classes(List.of(
                        ClassPolicy.builder().name("high").objective(0.5).build()))
                .admission(AdmissionPolicy.builder().periodMillis(2_000).build())
                .sampling(SamplingPolicy.builder().maximumRate(1).fixedRate(1).build())
                .build();
    }

    @Test
    void theGateFailsTheCanaryThatLosesQualityAndPassesTheEqualVariant(Backends backends, FlinkCluster cluster)
            throws Exception {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "variants.", Map.of());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        PolicyStore.publish(kafka, policy());
        ScheduledExecutorService load = Executors.newScheduledThreadPool(1);
        try (Instance stable = new Instance("stable", 50, kafka);
                Instance equal = new Instance("equal", 50, kafka);
                Instance canary = new Instance("canary", 4, kafka);
                Console console = Console.start(
                        kafka,
                        Duration.ofHours(1),
                        new ServerSettings(ServerSettings.LOOPBACK, 0, Optional.empty()),
                        new HttpGates(kafka),
                        Optional.empty())) {
            JobClient job = quality(cluster, kafka);
            var unused = load.scheduleAtFixedRate(
                    () -> {
                        stable.ask(20);
                        equal.ask(20);
                        canary.ask(10);
                    },
                    0,
                    100,
                    TimeUnit.MILLISECONDS);

            String api = console.address() + "api/v1/";
            // Each verdict reads the windows so far.
            await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
                assertThat(verdict(api, "canary")).isEqualTo("FAIL");
                assertThat(verdict(api, "equal")).isEqualTo("PASS");
            });
            assertThat(verdict(api, "nobody")).isEqualTo("NOT-ENOUGH");
            JsonNode document = gate(api, "canary");
            assertThat(document.at("/lostBy/slow").asDouble()).isEqualTo(1);
            assertThat(document.at("/drop/mean").asDouble()).isBetween(0.08, 0.16);
            assertThat(flagger(api, "canary")).isEqualTo(412);
            assertThat(flagger(api, "equal")).isEqualTo(200);

            assertThat(command(kafka, "canary").exitCode()).isEqualTo(1);
            assertThat(command(kafka, "equal").exitCode()).isZero();
            load.shutdownNow();
            job.cancel().get();
        } finally {
            load.shutdownNow();
        }
    }

    private static CommandLineRun command(KafkaSettings kafka, String variant) {
        return CommandLineRun.of(List.of(
                "gate",
                "--bootstrap-servers=" + kafka.bootstrapServers(),
                "--prefix=" + kafka.topicPrefix(),
                "--variant=" + variant,
                "--against=stable"));
    }

    private static String verdict(String api, String variant) throws Exception {
        return gate(api, variant).path("verdict").asText();
    }

    private static JsonNode gate(String api, String variant) throws Exception {
        String query = "gate?service=shop&class=high&against=stable&variant=" + variant;
        HttpResponse<String> response = send(HttpRequest.newBuilder(URI.create(api + query)));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    private static int flagger(String api, String variant) throws Exception {
        String webhook = "{\"name\": \"shop\", \"namespace\": \"prod\", \"phase\": \"Progressing\","
                + " \"metadata\": {\"class\": \"high\", \"against\": \"stable\", \"variant\": \"%s\"}}";
        return send(HttpRequest.newBuilder(URI.create(api + "flagger"))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(webhook.formatted(variant))))
                .statusCode();
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static JobClient quality(FlinkCluster cluster, KafkaSettings kafka) throws Exception {
        Configuration config = Configuration.fromMap(Map.of(
                "kafka.bootstrap-servers", kafka.bootstrapServers(),
                "kafka.topic-prefix", kafka.topicPrefix(),
                "source.out-of-orderness", "300 ms",
                "source.idleness", "1 s",
                "parallelism.default", "1"));
        StreamExecutionEnvironment env = cluster.environment(JobEnvironment.withDefaults(config));
        env.setParallelism(1);
        QualityJob.define(env, QualityJob.OPTIONS.read(config));
        return env.executeAsync("quality");
    }
}
