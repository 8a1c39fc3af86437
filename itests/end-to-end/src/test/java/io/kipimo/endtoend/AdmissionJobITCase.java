package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.cli.Main;
import io.kipimo.core.guard.ActuatorVerdict;
import io.kipimo.core.guard.DecisionReason;
import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.admission.AdmissionJob;
import io.kipimo.redis.RedisDecisionStore;
import io.kipimo.redis.RedisSettings;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.AdmissionClient;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.Kipimo;
import io.kipimo.sdk.KipimoConfig;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The admission job with a real broker, a real Redis, the SDK's client and the command line. */
@WithBackends
class AdmissionJobITCase {
    private static final String SCOPE = "shop/low";

    private static int kipimo(KafkaSettings kafka, StringWriter out, String... arguments) {
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out));
        command.setErr(new PrintWriter(out));
        String[] all = Arrays.copyOf(arguments, arguments.length + 3);
        all[arguments.length] = "--bootstrap-servers=" + kafka.bootstrapServers();
        all[arguments.length + 1] = "--prefix=" + kafka.topicPrefix();
        all[arguments.length + 2] = "--json";
        int code = command.execute(all);
        command.getOut().flush();
        return code;
    }

    @Test
    void onlyBadQualityShutsTheGateAndAPersonHasTheLastWord(Backends backends, FlinkCluster cluster) throws Exception {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "admission.", Map.of());
        assertThat(kipimo(kafka, new StringWriter(), "topics"))
                .as("no topic exists")
                .isEqualTo(1);
        assertThat(kipimo(kafka, new StringWriter(), "topics", "--create")).isZero();
        assertThat(kipimo(kafka, new StringWriter(), "topics", "--create")).isZero();
        assertThat(TopicAdmin.missing(kafka)).isEmpty();
        PolicyStore.publish(kafka, ShopPolicy.of());
        Configuration config = new Configuration();
        config.setString("kafka.bootstrap-servers", kafka.bootstrapServers());
        config.setString("kafka.topic-prefix", kafka.topicPrefix());
        config.setString("redis.host", backends.redisHost());
        config.setString("redis.port", String.valueOf(backends.redisPort()));
        config.setString("parallelism.default", "1");
        KipimoConfig client = KipimoConfig.builder("shop", "test", kafka)
                .queryClass("high", ClassDefaults.ALL)
                .queryClass("low", new ClassDefaults(0.5, 0.05, 1))
                .build();
        RedisSettings redis = RedisSettings.of(backends.redisHost(), backends.redisPort());
        try (Kipimo kipimo = Kipimo.connect(client);
                RedisDecisionStore store = RedisDecisionStore.at(redis);
                TopicLog<Decision> decisions = new TopicLog<>(kafka, Topic.ADMISSION, Codecs.DECISION)) {
            JobID job = start(cluster, config);
            AdmissionClient admission = kipimo.admission();

            QualityWindow bad = ShopPolicy.badBatch(1_000);
            QualityWindow unmeasured = bad.toBuilder()
                    .timedOut(0)
                    .samples(0)
                    .degradedSamples(0)
                    .estimate(Optional.empty())
                    .averaged(Optional.empty())
                    .averagedSamples(0)
                    .lossPerTimeOut(Optional.empty())
                    .build();
            staysOpen(
                    kafka,
                    admission,
                    unmeasured.toBuilder().offered(0).answered(0).build(),
                    DecisionReason.HELD_IDLE);
            staysOpen(kafka, admission, unmeasured, DecisionReason.AT_CEILING);
            Estimate unknown = new Estimate(0.3, 0.6, 1);
            staysOpen(
                    kafka,
                    admission,
                    bad.toBuilder()
                            .expired(90)
                            .estimate(Optional.of(unknown))
                            .averaged(Optional.of(unknown))
                            .build(),
                    DecisionReason.HELD_NOT_KNOWN);

            // Quality stays bad, so the job sheds until it finds that this does not help.
            await("the service sheds")
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> {
                        publishBatch(kafka, bad);
                        return admission.fraction("low") < 0.9;
                    });
            Decision shed = admission.inForce("low").orElseThrow();
            assertThat(admission.fraction("high")).isEqualTo(1);
            assertThat(decisions.readOn())
                    .allMatch(d -> d.value() >= 0 && d.value() <= 1)
                    .filteredOn(d -> d.scope().equals(SCOPE))
                    .anyMatch(d -> d.mode() == DecisionMode.ACTIVE && d.measured() < 0.9);
            await("Redis follows").atMost(PATIENCE).until(() -> store.get(Decision.ADMISSION, SCOPE)
                    .filter(d -> d.epoch() == shed.epoch() && d.sequence() >= shed.sequence())
                    .isPresent());

            assertThat(kipimo(
                            kafka,
                            new StringWriter(),
                            "override",
                            "set",
                            "shop",
                            "low",
                            "0.8",
                            "--for=10m",
                            "--by=ann",
                            "--reason=sale"))
                    .isZero();
            await("the override reaches the service").atMost(PATIENCE).until(() -> admission.fraction("low") == 0.8);
            assertThat(admission.inForce("low").orElseThrow().mode()).isEqualTo(DecisionMode.MANUAL);

            StringWriter tail = new StringWriter();
            assertThat(kipimo(kafka, tail, "tail", "admission", "--from-beginning", "--until-end"))
                    .isZero();
            assertThat(tail.toString()).contains("\"shop/low\"").contains("MANUAL");

            long first = admission.inForce("low").orElseThrow().epoch();
            JobID second = start(cluster, config);
            await("the second job's decisions apply, and the first one's are refused")
                    .atMost(PATIENCE)
                    .until(() -> admission
                                    .inForce("low")
                                    .filter(d -> d.epoch() > first)
                                    .isPresent()
                            && wroteAfterANewerOne(first, decisions.readOn())
                            && admission.refusals().containsKey(ActuatorVerdict.NOT_NEWER.name()));
            assertThat(admission.inForce("low").orElseThrow().epoch()).isGreaterThan(first);
            await("Redis has the second job's decision").atMost(PATIENCE).until(() -> store.get(
                            Decision.ADMISSION, SCOPE)
                    .filter(d -> d.epoch() > first)
                    .isPresent());
            cluster.cancel(job);
            cluster.cancel(second);
        }
    }

    private static JobID start(FlinkCluster cluster, Configuration config) throws Exception {
        StreamExecutionEnvironment env = cluster.environment(JobEnvironment.withDefaults(config));
        AdmissionJob.define(env, AdmissionJob.OPTIONS.read(config));
        return env.executeAsync("admission").getJobID();
    }

    /** Publishes batches until a decision has the reason; meanwhile everything is admitted. */
    private static void staysOpen(
            KafkaSettings kafka, AdmissionClient admission, QualityWindow batch, DecisionReason reason) {
        await(reason.name())
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(500))
                .until(() -> {
                    publishBatch(kafka, batch);
                    assertThat(admission.fraction("low")).isEqualTo(1);
                    return admission
                            .inForce("low")
                            .filter(d -> d.reason().equals(reason.name()))
                            .isPresent();
                });
    }

    private static boolean wroteAfterANewerOne(long epoch, List<Decision> decisions) {
        List<Decision> low =
                decisions.stream().filter(d -> d.scope().equals(SCOPE)).toList();
        return low.stream().dropWhile(d -> d.epoch() <= epoch).anyMatch(d -> d.epoch() == epoch);
    }

    /** Half a second of the high class's answers that ends now. */
    static void publishBatch(KafkaSettings kafka, QualityWindow like) throws Exception {
        long now = System.currentTimeMillis();
        QualityWindow batch =
                like.toBuilder().startMillis(now - 500).endMillis(now).build();
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(
                            kafka.name(Topic.QUALITY_WINDOWS),
                            "shop/high".getBytes(StandardCharsets.UTF_8),
                            Codecs.QUALITY_WINDOW.encode(batch)))
                    .get();
        }
    }
}
