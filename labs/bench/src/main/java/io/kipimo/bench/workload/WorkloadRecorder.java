package io.kipimo.bench.workload;

import io.kipimo.bench.peer.PeerQuery;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.observation.ComponentCount;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes workloads into the product's topics before the measurement starts. */
public final class WorkloadRecorder {
    /** Default number of partitions of each topic; one for each core. */
    public static final int PARTITIONS = 2;

    /** Expiration window of an hour, longer than any benchmark. */
    private static final long ENDLESS_MILLIS = 3_600_000;

    private final KafkaSettings kafka;
    private final int partitions;
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private long queries;
    private long events;
    private long bytes;

    private WorkloadRecorder(KafkaSettings kafka, int partitions) {
        this.kafka = kafka;
        this.partitions = partitions;
    }

    /**
     * Creates the topics, publishes the policy, and writes all events in order of event time, the events of a query
     * into one partition of each topic.
     */
    public static RecordedWorkload record(KafkaSettings kafka, EventWorkload workload) throws Exception {
        return record(kafka, workload, PARTITIONS);
    }

    /**
     * Like {@link #record(KafkaSettings, EventWorkload)}, with {@code partitions} partitions of each topic, at least 1.
     */
    public static RecordedWorkload record(KafkaSettings kafka, EventWorkload workload, int partitions)
            throws Exception {
        prepare(kafka, PeerQuery.WINDOW_MILLIS, partitions);
        return new WorkloadRecorder(kafka, partitions).record(workload, query -> true);
    }

    /**
     * Records only queries that stay open: no query is complete, and the window does not end. The workload must lose
     * its mature results.
     */
    public static RecordedWorkload recordOpen(KafkaSettings kafka, EventWorkload workload) throws Exception {
        return recordOpen(kafka, workload, PARTITIONS);
    }

    /** Like {@link #recordOpen(KafkaSettings, EventWorkload)}, with {@code partitions} partitions of each topic. */
    public static RecordedWorkload recordOpen(KafkaSettings kafka, EventWorkload workload, int partitions)
            throws Exception {
        prepare(kafka, ENDLESS_MILLIS, partitions);
        return new WorkloadRecorder(kafka, partitions).record(workload, query -> !query.isComplete());
    }

    /** Adds further queries to existing topics, under the policy that is already published. */
    public static RecordedWorkload recordMore(KafkaSettings kafka, EventWorkload workload, int partitions)
            throws Exception {
        return new WorkloadRecorder(kafka, partitions).record(workload, query -> true);
    }

    /** Creates the topics and publishes the policy, but writes no events. */
    public static void prepare(KafkaSettings kafka) {
        prepare(kafka, PARTITIONS);
    }

    /** Like {@link #prepare(KafkaSettings)}, with {@code partitions} partitions of each topic. */
    public static void prepare(KafkaSettings kafka, int partitions) {
        prepare(kafka, PeerQuery.WINDOW_MILLIS, partitions);
    }

    private static void prepare(KafkaSettings kafka, long windowMillis, int partitions) {
        TopicAdmin.createMissing(kafka, partitions, (short) 1);
        PolicyStore.publish(kafka, policy(windowMillis));
    }

    private static Policy policy(long windowMillis) {
        return Policy.builder()
                .service(EventWorkload.SERVICE)
                .version(1)
                .metrics(List.of(PeerQuery.METRIC))
                .expirationWindowMillis(windowMillis)
                .classes(List.of(ClassPolicy.builder()
                        .name(EventWorkload.QUERY_CLASS)
                        .priority(0)
                        .objective(0.9)
                        .floor(0.01)
                        .build()))
                .build();
    }

    /** Settings of a producer that writes a log in order at full speed. */
    public static Map<String, Object> producer(KafkaSettings kafka) {
        Map<String, Object> properties = kafka.forProducer();
        properties.put(ProducerConfig.LINGER_MS_CONFIG, 5);
        properties.put(ProducerConfig.BATCH_SIZE_CONFIG, 256 << 10);
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        // A partition without a leader rejects the producer's first batch. A broker without the
        // producer's state then accepts the second batch, and the first one stays out of order for
        // ever.
        properties.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        // A broker on a busy machine may need minutes to respond.
        properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 600_000);
        return properties;
    }

    /** The Kafka record of one event. */
    public static ProducerRecord<byte[], byte[]> toKafka(KafkaSettings kafka, SentEvent sent) {
        QueryEvent event = sent.event();
        return new ProducerRecord<>(
                kafka.name(event.isAnswer() ? Topic.ANSWERS : Topic.PARTIALS),
                sent.partition() < 0 ? null : sent.partition(),
                event.eventTimeMillis(),
                event.queryId().getBytes(StandardCharsets.UTF_8),
                event.isAnswer()
                        ? Codecs.ANSWER.encode(event.answer())
                        : Codecs.PARTIAL_RESULT.encode(event.partial()));
    }

    private RecordedWorkload record(EventWorkload workload, Predicate<PeerQuery> wanted) throws Exception {
        QueryEvents source = new QueryEvents(workload);
        PriorityQueue<SentEvent> due = new PriorityQueue<>(Comparator.comparingLong(SentEvent::micros));
        double qualitySum = 0;
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(producer(kafka), new ByteArraySerializer(), new ByteArraySerializer())) {
            Seconds[] fronts = new Seconds[partitions];
            for (int front = 0; front < fronts.length; front++) {
                fronts[front] = new Seconds(workload, front);
            }
            for (int i = 0; i < workload.queries(); i++) {
                QueryEvents.SentQuery query = source.query(i);
                if (!wanted.test(query.truth())) {
                    continue;
                }
                queries++;
                qualitySum += qualityOf(query.truth());
                due.addAll(query.events());
                long start = i * 1_000_000L / workload.queriesPerSecond();
                while (!due.isEmpty() && due.peek().micros() <= start) {
                    send(producer, due.poll());
                }
                int front = i % fronts.length;
                fronts[front].count(query.truth()).forEach(o -> send(producer, front, o));
            }
            while (!due.isEmpty()) {
                send(producer, due.poll());
            }
            for (int partition = 0; partition < partitions; partition++) {
                QueryEvents.SentQuery runOut = source.runOut(partition);
                queries++;
                qualitySum += qualityOf(runOut.truth());
                runOut.events().forEach(event -> send(producer, event));
                send(producer, partition, fronts[partition].runOut());
            }
        }
        if (failure.get() != null) {
            throw new IllegalStateException("the workload could not be written", failure.get());
        }
        return new RecordedWorkload(workload, kafka.topicPrefix(), events, bytes, queries, qualitySum);
    }

    private static double qualityOf(PeerQuery truth) {
        return truth.measure(0).scores().get(0).high();
    }

    private void send(KafkaProducer<byte[], byte[]> producer, SentEvent event) {
        ProducerRecord<byte[], byte[]> record = toKafka(kafka, event);
        events++;
        bytes += record.value().length;
        send(producer, record);
    }

    private void send(KafkaProducer<byte[], byte[]> producer, int partition, Observation observation) {
        send(
                producer,
                new ProducerRecord<>(
                        kafka.name(Topic.OBSERVATIONS),
                        partition,
                        observation.endMillis(),
                        (observation.service() + '/' + observation.tier() + '/' + observation.server())
                                .getBytes(StandardCharsets.UTF_8),
                        Codecs.OBSERVATION.encode(observation)));
    }

    private void send(KafkaProducer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
        var unused = producer.send(record, (metadata, e) -> {
            if (e != null) {
                failure.compareAndSet(null, e);
            }
        });
    }

    /**
     * Observations of one front end, second by second. All queries are sampled here. There is a front end for each
     * partition, because event time stands still while a partition is empty, until Flink takes it as idle.
     */
    private static final class Seconds {
        private final EventWorkload workload;
        private final int front;
        private final long[] timedOut;
        private long secondMillis;
        private long answered;
        private long degraded;

        Seconds(EventWorkload workload, int front) {
            this.workload = workload;
            this.front = front;
            this.timedOut = new long[workload.components()];
            this.secondMillis = workload.startMillis();
        }

        /** Counts a query. Returns the previous second if the query is the first of a new one. */
        List<Observation> count(PeerQuery query) {
            List<Observation> over = new ArrayList<>(1);
            long second = query.answer().startedAtMillis() / 1000 * 1000;
            if (second > secondMillis) {
                over.add(observation());
                secondMillis = second;
                answered = 0;
                degraded = 0;
                Arrays.fill(timedOut, 0);
            }
            answered++;
            degraded += query.answer().isDegraded() ? 1 : 0;
            List<Invocation> invocations = query.answer().invocations();
            for (int i = 0; i < timedOut.length; i++) {
                timedOut[i] += invocations.get(i).outcome() == Outcome.TIMED_OUT ? 1 : 0;
            }
            return over;
        }

        /** The observation of the last second, which is sent when the windows of all queries have ended. */
        Observation runOut() {
            secondMillis = workload.startMillis()
                    + workload.queries() * 1_000L / workload.queriesPerSecond()
                    + EventWorkload.RUN_OUT_MILLIS;
            return observation();
        }

        private Observation observation() {
            List<ComponentCount> components = new ArrayList<>(timedOut.length);
            for (int i = 0; i < timedOut.length; i++) {
                components.add(new ComponentCount("part-" + i, answered, timedOut[i]));
            }
            return ObservationBuilder.builder()
                    .service(EventWorkload.SERVICE)
                    .tier("front")
                    .server("front-" + front)
                    .queryClass(EventWorkload.QUERY_CLASS)
                    .secondMillis(secondMillis)
                    .offered(answered)
                    .answered(answered)
                    .timedOut(degraded)
                    .components(components)
                    .bill(MeasurementBill.NOTHING)
                    .admittedFraction(1)
                    .build();
        }
    }
}
