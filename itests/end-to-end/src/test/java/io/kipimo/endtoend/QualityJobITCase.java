package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.flink.StandaloneCluster;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.harness.oracle.LogRecord;
import io.kipimo.harness.oracle.TrafficSettings;
import io.kipimo.jobs.options.JoinPath;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.api.common.JobID;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The quality job through kills and savepoints. Every row equals the oracle's, every query has exactly one row, and
 * every event is counted as joined, late, duplicate or rejected. {@code -Dfaults.queries} sets the number of queries;
 * {@code -Pfull} has more, and runs the jar on clusters of separate processes without Kipimo on the class path.
 * {@link QualityFaultsITCase} tests further faults.
 */
@WithBackends
class QualityJobITCase {
    private static final int FEW = 20;
    private static final int QUERIES = Integer.getInteger("faults.queries", 2_000);

    private static Backends backends;

    @BeforeAll
    static void find(Backends shared) {
        backends = shared;
    }

    /** The log is empty at first, so the job begins with a shuffle; from the savepoint it goes on without one. */
    @Test
    void aKillAndASavepointAtAnotherParallelismChangeNoRowAndNoCount(FlinkCluster cluster, @TempDir Path savepoints)
            throws Exception {
        killAndRescale(cluster, JoinPath.AUTO, savepoints);
    }

    /** From the jar; the TaskManager gets no time to shut down. */
    @Tag("full")
    @ParameterizedTest
    @EnumSource
    void norDoTheyInOtherProcesses(JoinPath path, @TempDir Path savepoints) throws Exception {
        try (StandaloneCluster cluster = FlinkCluster.distribution(2, 2)) {
            killAndRescale(cluster, path, savepoints);
        }
    }

    private static void killAndRescale(FlinkCluster cluster, JoinPath path, Path savepoints) throws Exception {
        try (QualityRun run = QualityRun.start(
                cluster,
                new KafkaSettings(backends.bootstrapServers(), path + ".", Map.of()),
                1,
                TrafficSettings.before(System.currentTimeMillis(), 2 + path.ordinal(), QUERIES, 4),
                path)) {
            List<LogRecord> records = run.records();
            int third = records.size() / 3;
            run.send(records.subList(0, third));
            run.awaitCheckpoint();

            cluster.killOldestTaskManager();
            run.send(records.subList(third, 2 * third));
            cluster.replaceTaskManagers();
            await().atMost(PATIENCE).until(() -> cluster.restarts(run.job()) > 0);
            run.awaitCheckpoint();

            run.rescale(3, savepoints);
            run.send(records.subList(2 * third, records.size()));

            assertThat(run.finish()).matches(QualityRun.Verdict::isRight);
        }
    }

    /**
     * Queries are measured without a checkpoint, so a kill makes the job read everything again. The results that come
     * meanwhile are late, as they would have been without the kill.
     */
    @Test
    void resultsThatComeLateWhileTheJobIsAwayChangeNoRow(FlinkCluster cluster) throws Exception {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "away.", Map.of());
        TopicAdmin.createMissing(kafka, 4, (short) 1);
        PolicyStore.publish(kafka, ShopPolicy.of());
        JobID job = QualityJobs.start(
                cluster,
                kafka,
                4,
                Map.of(
                        "join.path", JoinPath.LOCAL.name(),
                        "source.out-of-orderness", "1 s",
                        "execution.checkpointing.interval", "1 h"));
        List<Measurement> all;
        try (TopicLog<Measurement> rows = new TopicLog<>(kafka, Topic.QUALITY, Codecs.MEASUREMENT);
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer())) {
            long[] starts = new long[FEW];
            for (int query = 0; query < FEW; query++) {
                long start = System.currentTimeMillis();
                starts[query] = start;
                send(producer, kafka, Topic.ANSWERS, "q" + query, answer("q" + query, start));
                send(producer, kafka, Topic.PARTIALS, "q" + query, result("q" + query, start, "a", Phase.ONLINE));
            }
            awaitRows(rows, FEW, producer, kafka);

            cluster.killOldestTaskManager();
            for (int query = 0; query < FEW; query++) {
                long start = starts[query];
                send(producer, kafka, Topic.PARTIALS, "q" + query, result("q" + query, start, "b", Phase.MATURE));
            }
            cluster.replaceTaskManagers();
            await().atMost(PATIENCE).until(() -> cluster.restarts(job) > 0);
            awaitRows(rows, 2 * FEW, producer, kafka);
            all = List.copyOf(rows.read());
        }
        assertThat(all).hasSize(2 * FEW).allMatch(row -> row.completeness() == Completeness.EXPIRED);
        Set<String> distinct = new HashSet<>();
        all.forEach(row -> distinct.add(HexFormat.of().formatHex(Codecs.MEASUREMENT.encode(row))));
        assertThat(distinct).hasSize(FEW);
    }

    /**
     * At each poll the only front end sends an observation, so that event time goes on, also in subtasks that read none
     * of its partitions.
     */
    private static void awaitRows(
            TopicLog<Measurement> rows, int many, KafkaProducer<byte[], byte[]> producer, KafkaSettings kafka) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).until(() -> {
            send(producer, kafka, Topic.OBSERVATIONS, "front", observation());
            return rows.readOn().size() >= many;
        });
    }

    private static byte[] observation() {
        long now = System.currentTimeMillis();
        return Codecs.OBSERVATION.encode(ObservationBuilder.builder()
                .service("shop")
                .tier("front")
                .server("front-1")
                .queryClass("high")
                .secondMillis(now - now % 1_000 - 1_000)
                .bill(MeasurementBill.NOTHING)
                .admittedFraction(1)
                .build());
    }

    private static void send(
            KafkaProducer<byte[], byte[]> producer, KafkaSettings kafka, Topic topic, String key, byte[] value)
            throws Exception {
        producer.send(new ProducerRecord<>(kafka.name(topic), key.getBytes(StandardCharsets.UTF_8), value))
                .get();
    }

    private static byte[] answer(String query, long startMillis) {
        return Codecs.ANSWER.encode(AnswerBuilder.builder()
                .service("shop")
                .queryId(query)
                .queryClass("high")
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(startMillis)
                .answeredAtMillis(startMillis + 100)
                .deadlineMillis(100)
                .invocations(List.of(
                        new Invocation("a", Outcome.IN_TIME, 10_000), new Invocation("b", Outcome.TIMED_OUT, 100_000)))
                .items(Items.NONE)
                .build());
    }

    private static byte[] result(String query, long startMillis, String component, Phase phase) {
        return Codecs.PARTIAL_RESULT.encode(PartialResultBuilder.builder()
                .service("shop")
                .queryId(query)
                .component(component)
                .server("")
                .phase(phase)
                .completedAtMillis(startMillis + (phase == Phase.ONLINE ? 10 : 500))
                .latencyMicros(10_000)
                .items(Items.ofNumbers(new long[] {component.hashCode()}, new float[] {1}))
                .startedAtMillis(startMillis)
                .build());
    }
}
