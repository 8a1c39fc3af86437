package io.kipimo.bench.latency;

import io.kipimo.bench.workload.QueryEvents;
import io.kipimo.embedded.kafka.TopicConsumers;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/** Reads measurements as they arrive, and records the latency since each query's last result. */
final class MeasurementWatch implements Callable<Histogram> {
    private final KafkaSettings kafka;
    private final LiveTraffic traffic;
    private final int firstCounted;
    private final CountDownLatch started = new CountDownLatch(1);
    private final AtomicLong seen = new AtomicLong();
    private volatile boolean over;

    /**
     * Makes a watch.
     *
     * @param firstCounted number of the first query after the warm-up
     */
    MeasurementWatch(KafkaSettings kafka, LiveTraffic traffic, int firstCounted) {
        this.kafka = kafka;
        this.traffic = traffic;
        this.firstCounted = firstCounted;
    }

    /** Returns when the watch reads, so that it will see all later measurements. */
    void awaitStart() throws InterruptedException {
        started.await();
    }

    /** Number of measurements so far, including those of the warm-up. */
    long seen() {
        return seen.get();
    }

    void end() {
        over = true;
    }

    /** Reads until {@link #end}. Returns the latencies in microseconds. */
    @Override
    public Histogram call() throws InvalidRecordException {
        Histogram latencies = new Histogram(600_000_000, 3);
        try (KafkaConsumer<byte[], byte[]> consumer = TopicConsumers.fromNow(kafka, Topic.QUALITY)) {
            started.countDown();
            while (!over) {
                for (ConsumerRecord<byte[], byte[]> entry : consumer.poll(Duration.ofMillis(100))) {
                    long now = System.nanoTime();
                    seen.incrementAndGet();
                    Measurement measurement = Codecs.MEASUREMENT.decode(entry.value());
                    int query = QueryEvents.queryOf(measurement.queryId());
                    if (query >= firstCounted && measurement.completeness() == Completeness.COMPLETE) {
                        latencies.recordValue(Math.max(0, now - traffic.lastSentNanos(query)) / 1000);
                    }
                }
            }
        }
        return latencies;
    }
}
