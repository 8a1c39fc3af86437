package io.kipimo.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.harness.flink.FlinkCluster;
import io.kipimo.harness.kafka.EmbeddedKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/**
 * Tests the harness itself: a job keeps its guarantees under every fault that the harness injects.
 */
class FlinkClusterITCase {
    private static final int HALF = 5_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void standaloneJobLosesNothingWhenATaskManagerIsKilled() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start();
                FlinkCluster cluster = FlinkCluster.standalone(2, 2)) {
            survives(kafka, cluster);
        }
    }

    @Test
    void inProcessJobLosesNothingWhenATaskManagerEnds() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start();
                FlinkCluster cluster = FlinkCluster.inProcess(2, 2)) {
            survives(kafka, cluster);
        }
    }

    private static void survives(EmbeddedKafka kafka, FlinkCluster cluster) throws Exception {
        createTopics(kafka);
        JobID job = submit(kafka, cluster);
        Set<String> seen = new HashSet<>();
        try (KafkaProducer<String, String> producer = producer(kafka);
                KafkaConsumer<String, String> consumer = consumer(kafka)) {
            consumer.subscribe(List.of("out"));
            produce(producer, 0, HALF);
            await().atMost(PATIENCE).until(() -> cluster.completedCheckpoints(job) > 0);
            await().atMost(PATIENCE).until(() -> read(consumer, seen) > 0);

            cluster.killTaskManager(0);
            produce(producer, HALF, 2 * HALF);
            assertThat(cluster.startTaskManager()).isEqualTo(2);
            await().atMost(PATIENCE).until(() -> read(consumer, seen) == 2 * HALF);
            await().atMost(PATIENCE).until(() -> cluster.metricSum(job, "passed") >= HALF);

            assertThat(cluster.restarts(job)).isPositive();
            assertThat(cluster.stopWithSavepoint(job, cluster.checkpointDirectory()))
                    .contains("savepoint");
            assertThat(cluster.status(job)).isEqualTo(JobStatus.FINISHED);
        }
    }

    private static JobID submit(EmbeddedKafka kafka, FlinkCluster cluster) throws Exception {
        StreamExecutionEnvironment env = cluster.environment(new Configuration());
        // The job uses all slots, so every TaskManager is needed.
        env.setParallelism(4);
        env.enableCheckpointing(500);
        env.fromSource(
                        KafkaSource.<String>builder()
                                .setBootstrapServers(kafka.bootstrapServers())
                                .setTopics("in")
                                .setGroupId("copy")
                                .setStartingOffsets(OffsetsInitializer.earliest())
                                .setValueOnlyDeserializer(new SimpleStringSchema())
                                .build(),
                        WatermarkStrategy.noWatermarks(),
                        "in")
                .map(new Counting())
                .sinkTo(
                        KafkaSink.<String>builder()
                                .setBootstrapServers(kafka.bootstrapServers())
                                .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
                                .setRecordSerializer(
                                        KafkaRecordSerializationSchema.builder()
                                                .setTopic("out")
                                                .setValueSerializationSchema(
                                                        new SimpleStringSchema())
                                                .build())
                                .build());
        return env.executeAsync("copy").getJobID();
    }

    private static void createTopics(EmbeddedKafka kafka) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.createTopics(
                            List.of(
                                    new NewTopic("in", 4, (short) 1),
                                    new NewTopic("out", 2, (short) 1)))
                    .all()
                    .get();
        }
    }

    private static void produce(KafkaProducer<String, String> producer, int from, int to)
            throws Exception {
        List<Future<?>> sent = new ArrayList<>();
        for (int i = from; i < to; i++) {
            String id = Integer.toString(i);
            sent.add(producer.send(new ProducerRecord<>("in", id, id)));
        }
        for (Future<?> one : sent) {
            one.get();
        }
    }

    private static int read(KafkaConsumer<String, String> consumer, Set<String> seen) {
        for (ConsumerRecord<String, String> r : consumer.poll(Duration.ofMillis(100))) {
            seen.add(r.value());
        }
        return seen.size();
    }

    private static KafkaProducer<String, String> producer(EmbeddedKafka kafka) {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new StringSerializer(),
                new StringSerializer());
    }

    private static KafkaConsumer<String, String> consumer(EmbeddedKafka kafka) {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        kafka.bootstrapServers(),
                        "group.id",
                        "reader",
                        "auto.offset.reset",
                        "earliest"),
                new StringDeserializer(),
                new StringDeserializer());
    }

    private static final class Counting extends RichMapFunction<String, String> {
        private transient Counter passed;

        @Override
        public void open(OpenContext context) {
            passed = getRuntimeContext().getMetricGroup().counter("passed");
        }

        @Override
        public String map(String value) {
            passed.inc();
            return value;
        }
    }
}
