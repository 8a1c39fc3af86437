package io.kipimo.bench.latency;

import io.kipimo.bench.machine.JobProcess;
import io.kipimo.bench.workload.EventWorkload;
import io.kipimo.bench.workload.QueryEvents;
import io.kipimo.bench.workload.SentEvent;
import io.kipimo.bench.workload.WorkloadRecorder;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Sends one query before all others. Its measurement proves that the job works. */
final class FirstMeasurementProbe {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final long POLL_MILLIS = 200;

    private FirstMeasurementProbe() {}

    static void awaitMeasured(KafkaSettings kafka, JobProcess job) throws InterruptedException {
        send(kafka);
        String topic = kafka.name(Topic.QUALITY);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(kafka.forConsumer(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(p -> new TopicPartition(topic, p.partition()))
                    .toList();
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (consumer.endOffsets(partitions).values().stream().allMatch(end -> end == 0)) {
                job.requireAlive();
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException(
                            "the quality job measured nothing in " + PATIENCE.toSeconds() + " s");
                }
                Thread.sleep(POLL_MILLIS);
            }
        }
    }

    private static void send(KafkaSettings kafka) {
        EventWorkload now =
                EventWorkload.usual(0, 0).startingAt(System.currentTimeMillis() - EventWorkload.RUN_OUT_MILLIS);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer())) {
            for (SentEvent event : new QueryEvents(now).runOut(0).events()) {
                var unused = producer.send(WorkloadRecorder.toKafka(kafka, event));
            }
        }
    }
}
