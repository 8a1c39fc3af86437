package io.kipimo.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.harness.flink.FlinkCluster;
import io.kipimo.harness.kafka.EmbeddedKafka;
import io.kipimo.harness.oracle.LogRecord;
import io.kipimo.harness.oracle.QualityTraffic;
import io.kipimo.harness.oracle.QueryKey;
import io.kipimo.harness.oracle.TrafficSettings;
import io.kipimo.jobs.submission.KipimoJob;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.kipimo.sdk.kafka.PolicyStore;
import io.kipimo.sdk.kafka.TopicAdmin;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import org.apache.flink.api.common.JobID;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The quality job, from its jar, on a cluster of real processes that know nothing of it: every row
 * is the oracle's, every query has exactly one, and what comes in is what was joined, late,
 * duplicate or rejected.
 */
class QualityJobITCase {
    private static final int QUERIES = 20_000;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static EmbeddedKafka kafka;
    private static FlinkCluster cluster;

    @BeforeAll
    static void start() {
        kafka = EmbeddedKafka.start();
        cluster = FlinkCluster.distribution(2, 2);
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
        }
        kafka.close();
    }

    @Test
    void everyQueryHasTheOraclesRowAndEveryEventIsAccountedFor() throws Exception {
        try (Run run = new Run("calm.", 1)) {
            run.send(run.traffic.records());
            run.awaitRows();
            run.send(run.traffic.stragglers());
            run.assertAllRight();
            assertWhatAlertsAskForIsThere();
        }
    }

    /** As Prometheus reads it; what stands in the rules is only as good as these names. */
    private static void assertWhatAlertsAskForIsThere() {
        String operator = "flink_taskmanager_job_task_operator_";
        await().atMost(PATIENCE)
                .untilAsserted(
                        () ->
                                assertThat(cluster.metricPages())
                                        .contains(
                                                operator + "kipimo_completeQueries{",
                                                operator + "kipimo_expiredQueries{",
                                                operator + "kipimo_reason_rejected{",
                                                operator + "kipimo_verdict_budgets{",
                                                operator + "watermarkLag{",
                                                operator + "pendingRecords{",
                                                "flink_jobmanager_job_numRestarts{",
                                                "flink_jobmanager_job_numberOfFailedCheckpoints{",
                                                "job_name=\"kipimo-quality\""));
    }

    @Test
    void aKilledTaskManagerChangesNoRowAndNoCount() throws Exception {
        try (Run run = new Run("killed.", 2)) {
            List<LogRecord> records = run.traffic.records();
            int middle = records.size() / 2;
            run.send(records.subList(0, middle));
            long before = cluster.completedCheckpoints(run.job);
            await().atMost(PATIENCE).until(() -> cluster.completedCheckpoints(run.job) > before);

            cluster.killTaskManager(0);
            run.send(records.subList(middle, records.size()));
            cluster.startTaskManager();
            run.awaitRows();
            run.send(run.traffic.stragglers());
            run.assertAllRight();

            assertThat(cluster.restarts(run.job)).isPositive();
        }
    }

    @Test
    void aSavepointRestoredAtAnotherParallelismChangesNoRowAndNoCount(@TempDir Path savepoints)
            throws Exception {
        try (Run run = new Run("rescaled.", 3)) {
            List<LogRecord> records = run.traffic.records();
            int middle = records.size() / 2;
            run.send(records.subList(0, middle));
            long before = cluster.completedCheckpoints(run.job);
            await().atMost(PATIENCE).until(() -> cluster.completedCheckpoints(run.job) > before);

            String savepoint = cluster.stopWithSavepoint(run.job, savepoints);
            run.send(records.subList(middle, records.size()));
            run.job = startJob(run.settings, 2, Optional.of(savepoint));
            run.awaitRows();
            run.send(run.traffic.stragglers());
            run.assertAllRight();
        }
    }

    /** Submits the job's jar; all of its topics and the policies are there. */
    private static JobID startJob(
            KafkaSettings settings, int parallelism, Optional<String> savepoint) throws Exception {
        Map<String, String> options =
                Map.of(
                        "kafka.bootstrap-servers",
                        settings.bootstrapServers(),
                        "kafka.topic-prefix",
                        settings.topicPrefix(),
                        "source.group-id",
                        settings.topicPrefix() + "test",
                        "source.out-of-orderness",
                        TrafficSettings.OUT_OF_ORDERNESS_MILLIS + " ms",
                        // A pause of the test is not one of its front ends.
                        "source.idleness",
                        "1 h",
                        "execution.checkpointing.interval",
                        "1 s");
        List<String> more = new ArrayList<>(List.of("--parallelism=" + parallelism));
        savepoint.ifPresent(path -> more.add("--savepoint=" + path));
        return CommandLineRun.submit(
                        cluster, KipimoJob.QUALITY, options, more.toArray(String[]::new))
                .jobId();
    }

    /** One job, what it is given and what it says. */
    private static final class Run implements AutoCloseable {
        private final KafkaSettings settings;
        private final QualityTraffic traffic;
        private JobID job;
        private final TopicLog<Measurement> quality;
        private final TopicLog<QueryEvent> late;
        private final TopicLog<DeadLetter> deadLetters;

        Run(String prefix, long seed) throws Exception {
            settings = new KafkaSettings(kafka.bootstrapServers(), prefix, Map.of());
            TopicAdmin.createMissing(settings, 4, (short) 1);
            traffic =
                    QualityTraffic.generate(
                            new TrafficSettings(
                                    seed,
                                    QUERIES,
                                    4,
                                    // Its end must not be in the future.
                                    System.currentTimeMillis() - 2 * QUERIES - 80_000));
            traffic.policies().forEach(policy -> PolicyStore.publish(settings, policy));
            quality = new TopicLog<>(settings, Topic.QUALITY, Codecs.MEASUREMENT);
            late = new TopicLog<>(settings, Topic.LATE_EVENTS, Codecs.QUERY_EVENT);
            deadLetters = new TopicLog<>(settings, Topic.DEAD_LETTERS, Codecs.DEAD_LETTER);
            job = startJob(settings, 4, Optional.empty());
        }

        void send(List<LogRecord> records) throws Exception {
            Map<String, Object> properties = settings.forProducer();
            properties.put(ProducerConfig.LINGER_MS_CONFIG, 5);
            try (KafkaProducer<byte[], byte[]> producer =
                    new KafkaProducer<>(
                            properties, new ByteArraySerializer(), new ByteArraySerializer())) {
                List<Future<?>> sent = new ArrayList<>();
                for (LogRecord record : records) {
                    sent.add(producer.send(record.toKafka(settings.topicPrefix())));
                }
                for (Future<?> one : sent) {
                    one.get();
                }
            }
        }

        void awaitRows() {
            await().atMost(PATIENCE)
                    .until(() -> queries(quality.readOn()).size() >= traffic.rows().size());
        }

        void assertAllRight() {
            await().atMost(PATIENCE).untilAsserted(this::assertConserved);
            assertRejections();
            assertRows();
        }

        @Override
        public void close() {
            cluster.cancel(job);
            quality.close();
            late.close();
            deadLetters.close();
        }

        private void assertConserved() {
            assertThat(count("joinedEvents")).as("joined").isEqualTo(traffic.counts().joined());
            assertThat(count("lateEvents")).as("late").isEqualTo(traffic.counts().late());
            assertThat(count("duplicateEvents"))
                    .as("duplicate")
                    .isEqualTo(traffic.counts().duplicate());
            assertThat(count("rejectedEvents"))
                    .as("of unknown services")
                    .isEqualTo(traffic.counts().rejected().get(RejectionReason.UNKNOWN_SERVICE));
            assertThat(distinct(late.readOn()))
                    .as("late events in their topic")
                    .isEqualTo(traffic.counts().late());
        }

        private long count(String name) {
            return (long) cluster.metricSum(job, "kipimo." + name);
        }

        private static long distinct(List<QueryEvent> events) {
            Set<List<Object>> places = new HashSet<>();
            events.forEach(e -> places.add(List.of(e.isAnswer(), e.partition(), e.offset())));
            return places.size();
        }

        /** Dead letters may be written twice, but a record of the log has one place in it. */
        private void assertRejections() {
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> {
                                Map<List<Object>, RejectionReason> places = new HashMap<>();
                                for (DeadLetter letter : deadLetters.readOn()) {
                                    places.put(
                                            List.of(
                                                    letter.topic(),
                                                    letter.partition(),
                                                    letter.offset()),
                                            letter.reason());
                                }
                                Map<RejectionReason, Long> counts =
                                        new EnumMap<>(RejectionReason.class);
                                places.values().forEach(r -> counts.merge(r, 1L, Long::sum));
                                assertThat(counts).isEqualTo(traffic.counts().rejected());
                            });
        }

        private void assertRows() {
            List<Measurement> measurements = quality.readOn();
            assertThat(queries(measurements)).isEqualTo(traffic.rows().keySet());
            Map<QueryKey, byte[]> first = new HashMap<>();
            for (Measurement measurement : measurements) {
                QueryKey query = QueryKey.of(measurement);
                assertThat(traffic.rows().get(query).differences(measurement))
                        .as("%s", measurement)
                        .isEmpty();
                // What EXPIRED queries are guessed to have lost depends on what was seen before.
                if (measurement.completeness() != Completeness.EXPIRED) {
                    byte[] row = Codecs.MEASUREMENT.encode(measurement);
                    byte[] former = first.putIfAbsent(query, row);
                    if (former != null) {
                        assertThat(row).as("row of %s written again", query).isEqualTo(former);
                    }
                }
            }
        }

        private static Set<QueryKey> queries(List<Measurement> measurements) {
            Set<QueryKey> queries = new HashSet<>();
            measurements.forEach(m -> queries.add(QueryKey.of(m)));
            return queries;
        }
    }
}
