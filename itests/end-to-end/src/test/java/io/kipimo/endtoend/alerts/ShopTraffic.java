package io.kipimo.endtoend.alerts;

import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.tails.ServerObservation;
import io.kipimo.schemas.tails.ServerObservationBuilder;
import io.kipimo.schemas.tails.TrafficCounts;
import io.kipimo.schemas.tails.TrafficCountsBuilder;
import io.kipimo.schemas.tails.Vantage;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Traffic of service shop. From {@link #spoil} on, answers of its high class lack four fifths of their items, no answer
 * of its low class is measured, and a front end has a wrong clock and unknown classes. From {@link #failLow} on, its
 * low class gets error responses.
 */
final class ShopTraffic implements AutoCloseable {
    /** Queries of each class a second. */
    private static final int QUERIES = 40;

    /** Number of spoilt queries whose second component never sends a result. */
    private static final int LOST = 4;

    /** Less than the limit above which records become dead letters. */
    private static final long AHEAD_MILLIS = 30_000;

    private static final TrafficCounts IDLE_SECOND =
            TrafficCountsBuilder.builder().observedMicros(1_000_000).build();

    private final KafkaSettings kafka;
    private final KafkaProducer<byte[], byte[]> producer;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private long second;
    private volatile boolean spoilt;
    private volatile boolean lowFails;

    ShopTraffic(KafkaSettings kafka) {
        this.kafka = kafka;
        this.producer = new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer());
        var unused = thread.scheduleAtFixedRate(this::second, 0, 1, TimeUnit.SECONDS);
    }

    void spoil() {
        spoilt = true;
    }

    void failLow() {
        lowFails = true;
    }

    private void second() {
        long start = System.currentTimeMillis() / 1000 * 1000 - 1000;
        second++;
        for (int i = 0; i < QUERIES; i++) {
            query("high", i, start, spoilt);
            if (lowFails) {
                failedQuery("low", i, start);
            } else if (!spoilt) {
                query("low", i, start, false);
            }
        }
        for (String queryClass : List.of("high", "low")) {
            observation("web-1", queryClass, start);
        }
        if (spoilt) {
            observation("web-2", "invented", start + AHEAD_MILLIS);
        }
    }

    private void observation(String server, String queryClass, long start) {
        boolean fails = lowFails && queryClass.equals("low");
        send(
                Topic.OBSERVATIONS,
                "shop/web/" + server,
                Codecs.OBSERVATION,
                ObservationBuilder.builder()
                        .service("shop")
                        .tier("web")
                        .server(server)
                        .queryClass(queryClass)
                        .secondMillis(start)
                        .offered(QUERIES)
                        .answered(QUERIES)
                        .timedOut(spoilt && !fails ? QUERIES : 0)
                        .bill(MeasurementBill.NOTHING)
                        .admittedFraction(1)
                        .unmeasurable(fails ? Map.of(Unmeasurable.FAILED_ANSWER, (long) QUERIES) : Map.of())
                        .build());
    }

    private void query(String queryClass, int number, long start, boolean isSpoilt) {
        String id = id(queryClass, number);
        answer(
                id,
                queryClass,
                start,
                List.of(
                        new Invocation("a", Outcome.IN_TIME, 10_000),
                        new Invocation("b", isSpoilt ? Outcome.TIMED_OUT : Outcome.IN_TIME, 20_000)),
                Optional.empty());
        partial(id, "a", Phase.ONLINE, start + 10, 10_000, 0, 2);
        if (!isSpoilt || number >= LOST) {
            partial(id, "b", isSpoilt ? Phase.MATURE : Phase.ONLINE, start + 20, 20_000, 2, 10);
        }
    }

    /** A query whose answer was an error. */
    private void failedQuery(String queryClass, int number, long start) {
        answer(
                id(queryClass, number),
                queryClass,
                start,
                List.of(new Invocation("a", Outcome.FAILED, 10_000)),
                Optional.of(Unmeasurable.FAILED_ANSWER));
    }

    private String id(String queryClass, int number) {
        return queryClass + '-' + second + '-' + number;
    }

    private void answer(
            String id,
            String queryClass,
            long start,
            List<Invocation> invocations,
            Optional<Unmeasurable> unmeasurable) {
        send(
                Topic.ANSWERS,
                id,
                Codecs.ANSWER,
                AnswerBuilder.builder()
                        .service("shop")
                        .queryId(id)
                        .queryClass(queryClass)
                        .kind(AnswerKind.ONLINE)
                        .startedAtMillis(start)
                        .answeredAtMillis(start + 30)
                        .deadlineMillis(30)
                        .invocations(invocations)
                        .items(Items.NONE)
                        .unmeasurable(unmeasurable)
                        .build());
    }

    private void partial(
            String id, String component, Phase phase, long atMillis, long micros, long firstItem, long endItem) {
        long[] items = LongStream.range(firstItem, endItem).toArray();
        send(
                Topic.PARTIALS,
                id,
                Codecs.PARTIAL_RESULT,
                PartialResultBuilder.builder()
                        .service("shop")
                        .queryId(id)
                        .component(component)
                        .server(component + "-1")
                        .phase(phase)
                        .completedAtMillis(atMillis)
                        .latencyMicros(micros)
                        .items(Items.ofNumbers(items, new float[items.length]))
                        .build());
    }

    private <T> void send(Topic topic, String key, Codec<T> codec, T record) {
        var unused = producer.send(
                new ProducerRecord<>(kafka.name(topic), key.getBytes(StandardCharsets.UTF_8), codec.encode(record)));
    }

    /** Ten minutes of unread partial results, written to another log. */
    static void backlog(KafkaSettings kafka, int records) {
        long start = System.currentTimeMillis() - 600_000;
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < records; i++) {
                long at = start + 600_000L * i / records;
                PartialResult partial = PartialResultBuilder.builder()
                        .service("shop")
                        .queryId("old-" + i)
                        .component("a")
                        .server("")
                        .phase(Phase.ONLINE)
                        .completedAtMillis(at)
                        .latencyMicros(10_000)
                        .items(Items.ofNumbers(new long[] {1}, new float[] {1}))
                        .build();
                var unused = producer.send(new ProducerRecord<>(
                        kafka.name(Topic.PARTIALS), 0, null, Codecs.PARTIAL_RESULT.encode(partial)));
            }
        }
    }

    /** One second of more servers than one subtask keeps apart. */
    static void inventedServers(KafkaSettings kafka, int servers) {
        long second = System.currentTimeMillis() / 1000 * 1000 - 1000;
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < servers; i++) {
                ServerObservation seen = ServerObservationBuilder.builder()
                        .service("shop")
                        .tier("web")
                        .component("web")
                        .server("invented-" + i)
                        .vantage(Vantage.SERVER)
                        .secondMillis(second)
                        .counts(IDLE_SECOND)
                        .latencies(new byte[0])
                        .build();
                var unused = producer.send(new ProducerRecord<>(
                        kafka.name(Topic.SERVER_OBSERVATIONS), Codecs.SERVER_OBSERVATION.encode(seen)));
            }
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        // Kafka may be away.
        producer.close(Duration.ofSeconds(5));
    }
}
