package io.kipimo.bench.latency;

import io.kipimo.bench.workload.EventWorkload;
import io.kipimo.bench.workload.QueryEvents;
import io.kipimo.bench.workload.SentEvent;
import io.kipimo.bench.workload.WorkloadRecorder;
import io.kipimo.loadgen.generator.OpenLoop;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.Comparator;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Sends a workload in real time: every event at its scheduled time, without waiting for results. */
public final class LiveTraffic {
    private final KafkaSettings kafka;
    private final EventWorkload workload;
    private final AtomicLongArray lastSentNanos;
    private final Histogram lagMicros = new Histogram(60_000_000, 3);
    private final AtomicReference<Exception> failure = new AtomicReference<>();

    public LiveTraffic(KafkaSettings kafka, EventWorkload workload) {
        this.kafka = kafka;
        this.workload = workload;
        this.lastSentNanos = new AtomicLongArray(workload.queries());
    }

    /** Time when the last event of a query was handed to the producer, {@link System#nanoTime}; 0 until then. */
    long lastSentNanos(int query) {
        return lastSentNanos.get(query);
    }

    /** Delay of events behind their scheduled times, microseconds. */
    Histogram lagMicros() {
        return lagMicros;
    }

    /**
     * Sends all events. Returns when all are acknowledged.
     *
     * @param startNanos start of event time
     */
    public void send(long startNanos) throws Exception {
        Map<String, Object> properties = kafka.forProducer();
        // Without lingering, 20,000 requests a second would overload the broker.
        properties.put(ProducerConfig.LINGER_MS_CONFIG, 1);
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        QueryEvents source = new QueryEvents(workload);
        PriorityQueue<DueEvent> due = new PriorityQueue<>(Comparator.comparingLong(d -> d.event.micros()));
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < workload.queries() || !due.isEmpty(); i++) {
                if (i < workload.queries()) {
                    add(due, source.query(i));
                }
                long next = (i + 1) * 1_000_000L / workload.queriesPerSecond();
                while (!due.isEmpty()
                        && (i >= workload.queries() || due.peek().event.micros() < next)) {
                    send(producer, due.poll(), startNanos);
                }
            }
        }
        if (failure.get() != null) {
            throw new IllegalStateException("an event could not be sent", failure.get());
        }
    }

    private record DueEvent(SentEvent event, boolean last) {}

    private static void add(PriorityQueue<DueEvent> due, QueryEvents.SentQuery query) {
        int last = query.events().size() - 1;
        for (int i = 0; i <= last; i++) {
            due.add(new DueEvent(query.events().get(i), i == last));
        }
    }

    private void send(KafkaProducer<byte[], byte[]> producer, DueEvent due, long startNanos) {
        ProducerRecord<byte[], byte[]> record = WorkloadRecorder.toKafka(kafka, due.event);
        long dueNanos = startNanos + due.event.micros() * 1000;
        boolean unusedEnd = OpenLoop.await(dueNanos, () -> Long.MAX_VALUE);
        long now = System.nanoTime();
        lagMicros.recordValue((now - dueNanos) / 1000);
        if (due.last) {
            lastSentNanos.set(due.event.query(), now);
        }
        var unused = producer.send(record, (metadata, e) -> {
            if (e != null) {
                failure.compareAndSet(null, e);
            }
        });
    }
}
