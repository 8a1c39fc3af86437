package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.KafkaWithUsers;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.topics.Role;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.BrokerUnavailableException;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.JobID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.tools.AclCommand;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A broker that allows what {@code kipimo topics -o acls} prints, and nothing else. */
@WithBackends
class AccessListITCase {
    private static final String PREFIX = "shop.";

    private static KafkaWithUsers broker;

    @BeforeAll
    static void start() throws Exception {
        List<String> users =
                Arrays.stream(Role.values()).map(AccessListITCase::user).toList();
        broker = new KafkaWithUsers(users);
        KafkaSettings all = new KafkaSettings(broker.bootstrapServers(), PREFIX, Map.of());
        TopicAdmin.createMissing(all, 1, (short) 1);
        CommandLineRun printed = CommandLineRun.of(
                List.of("topics", "-o=acls", "--topic-prefix=" + PREFIX, "--group-id=" + PREFIX + "quality"));
        assertThat(printed.exitCode()).isZero();
        Exit.setExitProcedure((status, message) -> {
            throw new IllegalStateException("kafka-acls.sh ends with " + status);
        });
        try {
            for (List<String> words : words(printed.out())) {
                AclCommand.main(words.toArray(String[]::new));
            }
        } finally {
            Exit.resetExitProcedure();
        }
        try (Admin admin = Admin.create(all.forAdmin())) {
            assertThat(admin.describeAcls(AclBindingFilter.ANY).values().get()).hasSizeGreaterThan(80);
        }
    }

    /** The arguments of each command, as a shell makes them of the lines. */
    private static List<List<String>> words(String lines) throws Exception {
        ProcessBuilder shell =
                new ProcessBuilder("bash", "-euc", "kafka-acls.sh() { printf '%s\\n' \"$@\"; echo; }; . /dev/stdin");
        shell.environment().put("KIPIMO_BOOTSTRAP_SERVERS", broker.bootstrapServers());
        Process process = shell.redirectError(Redirect.INHERIT).start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(lines.getBytes(StandardCharsets.UTF_8));
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return Arrays.stream(said.split("\n\n"))
                .map(command -> command.lines().toList())
                .toList();
    }

    @AfterAll
    static void stop() {
        if (broker != null) {
            broker.close();
        }
    }

    private static String user(Role role) {
        return "shop-" + role.word();
    }

    private static KafkaSettings as(Role role) {
        return broker.settingsOf(user(role), PREFIX);
    }

    private static KafkaProducer<byte[], byte[]> producer(Role role) {
        return new KafkaProducer<>(as(role).forProducer(), new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Test
    void aServiceWritesAnswersAndReadsNone() throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = producer(Role.SERVICE)) {
            SubmitITCase.emit(as(Role.SERVICE), producer, System.currentTimeMillis());
        }
        try (TopicLog<?> log = new TopicLog<>(as(Role.SERVICE), Topic.SAMPLING, Codecs.DECISION)) {
            assertThat(log.readOn()).isEmpty();
        }
        try (TopicLog<?> log = new TopicLog<>(as(Role.SERVICE), Topic.ANSWERS, Codecs.ANSWER)) {
            assertThatThrownBy(log::readOn).isInstanceOf(TopicAuthorizationException.class);
        }
        assertThatThrownBy(() -> PolicyStore.publish(as(Role.SERVICE), ShopPolicy.of()))
                .isInstanceOf(BrokerUnavailableException.class)
                .hasMessageContaining("shop.policies");
    }

    /** All of it as users: the policy, the query, the job with transactions, the reader of rows. */
    @Test
    void theQualityJobMeasuresWithTheRightsOfItsRole(FlinkCluster cluster) throws Exception {
        PolicyStore.publish(as(Role.OPERATOR), ShopPolicy.of(1, 2_000, 1_000, 500));
        KafkaSettings job = as(Role.QUALITY);
        assertThat(TopicAdmin.createMissing(job, 0, (short) 1)).isEmpty();
        try (KafkaProducer<byte[], byte[]> producer = producer(Role.SERVICE);
                TopicLog<Measurement> rows = new TopicLog<>(as(Role.OPERATOR), Topic.QUALITY, Codecs.MEASUREMENT)) {
            JobID id = QualityJobs.start(cluster, job, 1, Map.of("sink.guarantee", "EXACTLY_ONCE"));
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> {
                SubmitITCase.emit(as(Role.SERVICE), producer, System.currentTimeMillis());
                assertThat(rows.readOn()).isNotEmpty();
            });
            assertThat(cluster.restarts(id)).isZero();
            cluster.cancel(id);
        }
    }
}
