package io.kipimo.bench.latency;

import io.kipimo.bench.machine.JobProcess;
import io.kipimo.bench.workload.EventWorkload;
import io.kipimo.bench.workload.QueryEvents;
import io.kipimo.bench.workload.SentEvent;
import io.kipimo.bench.workload.WorkloadRecorder;
import io.kipimo.embedded.kafka.TopicConsumers;
import io.kipimo.embedded.process.Await;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Sends one query before all others. Its measurement proves that the job works. */
final class FirstMeasurementProbe {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private FirstMeasurementProbe() {}

    static void awaitMeasured(KafkaSettings kafka, JobProcess job) {
        send(kafka);
        try (KafkaConsumer<byte[], byte[]> consumer = TopicConsumers.fromBeginning(kafka, Topic.QUALITY)) {
            Await.until(
                    () -> {
                        job.requireAlive();
                        return consumer.endOffsets(consumer.assignment()).values().stream()
                                .anyMatch(end -> end > 0);
                    },
                    PATIENCE,
                    () -> "the quality job measured nothing in " + PATIENCE.toSeconds() + " s");
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
