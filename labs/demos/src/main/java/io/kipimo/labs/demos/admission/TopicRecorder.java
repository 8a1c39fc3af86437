package io.kipimo.labs.demos.admission;

import io.kipimo.embedded.kafka.TopicConsumers;
import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.WakeupException;

/** Keeps the records of jobs and service while a demo runs. */
final class TopicRecorder implements AutoCloseable {
    private final KafkaSettings kafka;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Thread thread;
    private volatile boolean closed;

    private final Queue<Measurement> measurements = new ConcurrentLinkedQueue<>();
    private final Queue<QualityWindow> windows = new ConcurrentLinkedQueue<>();
    private final Queue<Observation> observations = new ConcurrentLinkedQueue<>();
    private final Queue<Decision> decisions = new ConcurrentLinkedQueue<>();

    TopicRecorder(KafkaSettings kafka) {
        this.kafka = kafka;
        this.consumer = TopicConsumers.fromBeginning(
                kafka, Topic.QUALITY, Topic.QUALITY_WINDOWS, Topic.OBSERVATIONS, Topic.ADMISSION);
        this.thread = new Thread(this::run, "demo-recorder");
        thread.setDaemon(true);
        thread.start();
    }

    boolean hasMeasurements() {
        return !measurements.isEmpty();
    }

    List<Measurement> measurements(long fromMillis, long untilMillis) {
        return between(measurements, Measurement::startedAtMillis, fromMillis, untilMillis);
    }

    List<QualityWindow> windows(long fromMillis, long untilMillis) {
        return between(windows, QualityWindow::endMillis, fromMillis, untilMillis);
    }

    List<Observation> observations(long fromMillis, long untilMillis) {
        return between(observations, Observation::secondMillis, fromMillis, untilMillis);
    }

    List<Decision> decisions(long fromMillis, long untilMillis) {
        return between(decisions, Decision::issuedAtMillis, fromMillis, untilMillis);
    }

    private static <T> List<T> between(Queue<T> records, ToLongFunction<T> time, long fromMillis, long untilMillis) {
        return records.stream()
                .filter(r -> time.applyAsLong(r) >= fromMillis && time.applyAsLong(r) < untilMillis)
                .toList();
    }

    private void run() {
        try {
            while (!closed) {
                consumer.poll(Duration.ofMillis(200)).forEach(this::record);
            }
        } catch (WakeupException e) {
            if (!closed) {
                throw e;
            }
        } finally {
            consumer.close();
        }
    }

    private void record(ConsumerRecord<byte[], byte[]> entry) {
        if (entry.topic().equals(kafka.name(Topic.QUALITY))) {
            add(measurements, Codecs.MEASUREMENT, entry.value());
        } else if (entry.topic().equals(kafka.name(Topic.QUALITY_WINDOWS))) {
            add(windows, Codecs.QUALITY_WINDOW, entry.value());
        } else if (entry.topic().equals(kafka.name(Topic.OBSERVATIONS))) {
            add(observations, Codecs.OBSERVATION, entry.value());
        } else {
            add(decisions, Codecs.DECISION, entry.value());
        }
    }

    private static <T> void add(Queue<T> list, Codec<T> codec, byte[] bytes) {
        try {
            list.add(codec.decode(bytes));
        } catch (InvalidRecordException e) {
            throw new IllegalStateException("a job wrote what it would refuse: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        closed = true;
        consumer.wakeup();
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
