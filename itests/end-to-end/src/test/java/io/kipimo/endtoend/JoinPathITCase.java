package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.options.JoinOptions;
import io.kipimo.jobs.options.JoinPath;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.jobs.options.SubmissionRefusedException;
import io.kipimo.jobs.quality.QualityJob;
import io.kipimo.jobs.submission.KipimoJob;
import io.kipimo.jobs.submission.Submission;
import io.kipimo.kafka.WriterPlaces;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** {@code join.path} AUTO knows by the records of a real broker who writes. */
@WithBackends
class JoinPathITCase {
    private static final int PARTITIONS = 4;
    private static final int QUERIES = 60;
    private static final long NOW = System.currentTimeMillis();

    @Test
    void nothingWrittenIsNoEvidence(Backends backends) throws Exception {
        KafkaSettings kafka = topics(backends, "join-path-empty.");
        assertThat(WriterPlaces.read(kafka, PARTITIONS).doubt())
                .hasValue("only 0 answers and 0 partial results show which partitions writers choose,"
                        + " and 20 of each are needed");
        assertThat(chosen(kafka)).isEqualTo(JoinPath.KEYED);
    }

    @Test
    void recordsInThePartitionsOfTheirQueriesAreJoinedThere(Backends backends) throws Exception {
        KafkaSettings kafka = topics(backends, "join-path-right.");
        try (KafkaProducer<byte[], byte[]> producer = producer(kafka)) {
            sendAll(kafka, producer);
            // None of these says where a writer puts its records.
            for (int partition = 0; partition < PARTITIONS; partition++) {
                send(producer, kafka, Topic.ANSWERS, partition, "q", new byte[] {1, 2, 3});
                send(producer, kafka, Topic.PARTIALS, partition, "q", null);
                ProducerRecord<byte[], byte[]> rewritten = entry(kafka, Topic.PARTIALS, partition, "q1", result("q1"));
                rewritten.headers().add("kipimo-rewritten", new byte[0]);
                producer.send(rewritten).get();
            }
        }
        assertThat(WriterPlaces.read(kafka, PARTITIONS).evidence())
                .isEqualTo("the newest %d answers and %d partial results are in the partitions of their queries' ids"
                        .formatted(QUERIES, QUERIES));
        assertThat(chosen(kafka)).isEqualTo(JoinPath.LOCAL);
    }

    /** A component of another language, with the id as the key and its own partitioner. */
    @Test
    void oneRecordElsewhereMeansAShuffle(Backends backends) throws Exception {
        KafkaSettings kafka = topics(backends, "join-path-stray.");
        try (KafkaProducer<byte[], byte[]> producer = producer(kafka)) {
            int right = producer.send(entry(kafka, Topic.PARTIALS, null, "q7", result("q7")))
                    .get()
                    .partition();
            send(producer, kafka, Topic.PARTIALS, (right + 1) % PARTITIONS, "q7", result("q7"));
            sendAll(kafka, producer);
        }
        assertThat(WriterPlaces.read(kafka, PARTITIONS).doubt().orElseThrow())
                .startsWith("1 of the 122 newest answers and partial results are not in the")
                .endsWith("of service 'shop', component 'dense'");
        assertThat(chosen(kafka)).isEqualTo(JoinPath.KEYED);
    }

    /** Flink would wait in silence for the partitions that are gone. */
    @Test
    void aSavepointOfMorePartitionsThanATopicHasIsRefused(Backends backends, FlinkCluster cluster) throws Exception {
        KafkaSettings kafka = topics(backends, "join-path-savepoint.");
        PolicyStore.publish(kafka, ShopPolicy.of());
        JobID first = QualityJobs.start(cluster, kafka, 2, Map.of(JoinOptions.PATH.key(), JoinPath.LOCAL.name()));
        await().atMost(PATIENCE).until(() -> cluster.areTasksRunning(first));
        String savepoint = cluster.stopWithSavepoint(first);
        List<String> topics = List.of(kafka.name(Topic.ANSWERS), kafka.name(Topic.PARTIALS));
        try (Admin admin = Admin.create(kafka.forProducer())) {
            admin.deleteTopics(topics).all().get();
            await().atMost(PATIENCE)
                    .until(() -> admin.listTopics().names().get().stream().noneMatch(topics::contains));
        }
        TopicAdmin.createMissing(kafka, 2, (short) 1);
        Submission again = Submission.of(List.of(
                KipimoJob.QUALITY.jobName(),
                "-Dkafka.bootstrap-servers=" + kafka.bootstrapServers(),
                "-Dkafka.topic-prefix=" + kafka.topicPrefix(),
                "-D" + StateRecoveryOptions.SAVEPOINT_PATH.key() + "=" + savepoint));
        String isShort = "topic '%s' has partitions 2, but the savepoint has read 4; allowed: a topic with at least as"
                + " many, or no savepoint";
        assertThatThrownBy(again::execute)
                .isInstanceOf(SubmissionRefusedException.class)
                .hasMessage(topics.stream().map(isShort::formatted).collect(Collectors.joining("\n")));
    }

    private static KafkaSettings topics(Backends backends, String prefix) {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), prefix, Map.of());
        TopicAdmin.createMissing(kafka, PARTITIONS, (short) 1);
        return kafka;
    }

    /** More subtasks than partitions can only have work by a shuffle. */
    @Test
    void moreSubtasksThanPartitionsMeanAShuffle(Backends backends) throws Exception {
        KafkaSettings kafka = topics(backends, "join-path-wide.");
        try (KafkaProducer<byte[], byte[]> producer = producer(kafka)) {
            sendAll(kafka, producer);
        }
        assertThat(chosen(kafka, PARTITIONS)).isEqualTo(JoinPath.LOCAL);
        assertThat(chosen(kafka, PARTITIONS + 1)).isEqualTo(JoinPath.KEYED);
    }

    private static JoinPath chosen(KafkaSettings kafka) throws Exception {
        return chosen(kafka, 2);
    }

    /** The path of a job that is submitted now with the default options. */
    private static JoinPath chosen(KafkaSettings kafka, int parallelism) throws Exception {
        Configuration config = config(kafka);
        config.set(CoreOptions.DEFAULT_PARALLELISM, parallelism);
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.getExecutionEnvironment(JobEnvironment.withDefaults(config));
        QualityJob.define(env, QualityJob.OPTIONS.read(config));
        return JoinPath.valueOf(env.getConfiguration()
                .get(PipelineOptions.GLOBAL_JOB_PARAMETERS)
                .get(JoinOptions.SHOWN_PATH)
                .split(",")[0]);
    }

    private static Configuration config(KafkaSettings kafka) {
        return new Configuration()
                .set(KafkaOptions.BOOTSTRAP_SERVERS.option(), kafka.bootstrapServers())
                .set(KafkaOptions.TOPIC_PREFIX.option(), kafka.topicPrefix());
    }

    private static KafkaProducer<byte[], byte[]> producer(KafkaSettings kafka) {
        return new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** As the clients do: the query's id is the key. */
    private static void sendAll(KafkaSettings kafka, KafkaProducer<byte[], byte[]> producer) {
        for (int query = 0; query < QUERIES; query++) {
            var unusedAnswer = producer.send(entry(kafka, Topic.ANSWERS, null, id(query), answer(id(query))));
            var unusedResult = producer.send(entry(kafka, Topic.PARTIALS, null, id(query), result(id(query))));
        }
        producer.flush();
    }

    private static void send(
            KafkaProducer<byte[], byte[]> producer,
            KafkaSettings kafka,
            Topic topic,
            Integer partition,
            String key,
            byte[] value)
            throws Exception {
        producer.send(entry(kafka, topic, partition, key, value)).get();
    }

    private static ProducerRecord<byte[], byte[]> entry(
            KafkaSettings kafka, Topic topic, Integer partition, String key, byte[] value) {
        return new ProducerRecord<>(kafka.name(topic), partition, key.getBytes(StandardCharsets.UTF_8), value);
    }

    /** Half of the ids are trace ids. */
    private static String id(int query) {
        return query % 2 == 0 ? "q" + query : "%032x".formatted(query);
    }

    private static byte[] answer(String id) {
        return Codecs.ANSWER.encode(AnswerBuilder.builder()
                .service("shop")
                .queryId(id)
                .queryClass("high")
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(NOW)
                .answeredAtMillis(NOW + 50)
                .deadlineMillis(50)
                .topK(10)
                .invocations(List.of(new Invocation("dense", Outcome.TIMED_OUT, 50_000)))
                .items(Items.NONE)
                .build());
    }

    private static byte[] result(String id) {
        return Codecs.PARTIAL_RESULT.encode(PartialResultBuilder.builder()
                .service("shop")
                .queryId(id)
                .component("dense")
                .server("")
                .phase(Phase.MATURE)
                .completedAtMillis(NOW + 60)
                .latencyMicros(60_000)
                .items(Items.NONE)
                .build());
    }
}
