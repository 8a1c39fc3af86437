package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
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
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.flink.api.common.JobID;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/**
 * A job that starts behind a backlog measures a tenth of it, says so, and measures all once it has caught up. Writers
 * state when records are appended: those of the backlog an hour ago. So a busy machine, which reads every record late,
 * is not taken for a backlog.
 */
@WithBackends
class BacklogITCase {
    private static final int PARTITIONS = 2;
    private static final int TOP_K = 10;
    private static final int WINDOW_SECONDS = 10;
    private static final int BACKLOG_SECONDS = 120;
    private static final int QUERIES_A_SECOND = 60;
    private static final int WEIGHT = 10;

    private final Random random = new Random(36);
    private final long beganMillis = System.currentTimeMillis() / 1000 * 1000 - 3_600_000;

    /** Sum of the qualities of the queries of each second. */
    private final Map<Long, Double> qualities = new HashMap<>();

    @Test
    void aBacklogIsMeasuredByASampleWithHonestIntervals(Backends backends, FlinkCluster cluster) throws Exception {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "backlog.", Map.of());
        ClockAheadITCase.createWithWritersTimes(kafka, PARTITIONS);
        PolicyStore.publish(kafka, ShopPolicy.of(TOP_K, 3_000, 1_000L * WINDOW_SECONDS, 1_000));
        try (TopicLog<Measurement> rows = new TopicLog<>(kafka, Topic.QUALITY, Codecs.MEASUREMENT);
                TopicLog<QualityWindow> windows = new TopicLog<>(kafka, Topic.QUALITY_WINDOWS, Codecs.QUALITY_WINDOW);
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer())) {
            List<String> backlog = new ArrayList<>();
            for (int second = 0; second < BACKLOG_SECONDS; second++) {
                long at = beganMillis + 1_000L * second;
                backlog.addAll(sendSecond(kafka, producer, at, at + 1_000));
            }
            producer.flush();
            JobID job = QualityJobs.start(
                    cluster,
                    kafka,
                    2,
                    Map.of(
                            "join.path", "LOCAL",
                            "join.backlog-rate", "0.1",
                            "join.backlog-begin", "6 min",
                            "join.backlog-end", "5 min"));
            long[] at = {beganMillis + 1_000L * BACKLOG_SECONDS};
            await().atMost(PATIENCE).untilAsserted(() -> {
                // Traffic goes on, five times as fast as it would.
                for (int second = 0; second < 5; second++) {
                    var unused = sendSecond(kafka, producer, at[0], System.currentTimeMillis());
                    at[0] += 1_000;
                }
                producer.flush();
                assertThat(rows.readOn()).anyMatch(row -> row.represents() == 1);
            });

            Map<String, Measurement> measured =
                    rows.readOn().stream().collect(Collectors.toMap(Measurement::queryId, row -> row));
            List<String> wanted = backlog.stream()
                    .filter(id -> ConsistentSampling.isSampled(id, 1.0 / WEIGHT))
                    .toList();
            assertThat(backlog.stream().filter(measured::containsKey)).containsExactlyElementsOf(wanted);
            assertThat(wanted).allSatisfy(id -> {
                assertThat(measured.get(id).completeness()).isEqualTo(Completeness.COMPLETE);
                assertThat(measured.get(id).represents()).isEqualTo(WEIGHT);
            });
            assertThat(1.0 * WEIGHT * wanted.size())
                    .isCloseTo(backlog.size(), within(4 * Math.sqrt(backlog.size() * (WEIGHT - 1.0))));
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(cluster.metricSum(job, "sampledOutEvents"))
                    .isGreaterThan(backlog.size()));

            List<QualityWindow> behind = windows.readOn().stream()
                    .filter(window -> window.kind() == WindowKind.SLIDING
                            && window.endMillis() >= beganMillis + 1_000L * WINDOW_SECONDS
                            && window.endMillis() <= beganMillis + 1_000L * BACKLOG_SECONDS)
                    .toList();
            assertThat(behind).hasSizeGreaterThan(BACKLOG_SECONDS / 2);
            assertThat(behind)
                    .allSatisfy(window -> assertThat(window.backlogRate()).isEqualTo(1.0 / WEIGHT));
            long right = behind.stream().filter(this::containsTheTruth).count();
            assertThat(right / (double) behind.size()).isGreaterThan(0.85);
            cluster.cancel(job);
        }
    }

    private boolean containsTheTruth(QualityWindow window) {
        double sum = 0;
        for (long second = window.endMillis() - 1_000L * WINDOW_SECONDS; second < window.endMillis(); second += 1_000) {
            sum += qualities.get(second);
        }
        double truth = sum / (WINDOW_SECONDS * QUERIES_A_SECOND);
        return window.estimate()
                .filter(estimate -> estimate.low() <= truth && truth <= estimate.high())
                .isPresent();
    }

    /**
     * Sends the queries of a second, which are measured in that second, and the counts of their front ends.
     *
     * @param appendMillis when they are appended to the log, epoch milliseconds
     * @return their ids
     */
    private List<String> sendSecond(
            KafkaSettings kafka, KafkaProducer<byte[], byte[]> producer, long secondMillis, long appendMillis) {
        List<String> ids = new ArrayList<>();
        for (int query = 0; query < QUERIES_A_SECOND; query++) {
            String id = "%016x%016x".formatted(random.nextLong() | 1, random.nextLong());
            ids.add(id);
            // Half of the answers lack some of the ten best items.
            int found = query % 2 == 0 ? TOP_K : random.nextInt(TOP_K);
            qualities.merge(secondMillis, (double) found / TOP_K, Double::sum);
            send(kafka, producer, id, secondMillis + 10L * query, appendMillis, found);
        }
        for (int front = 0; front < PARTITIONS; front++) {
            var unused = producer.send(new ProducerRecord<>(
                    kafka.name(Topic.OBSERVATIONS),
                    front,
                    appendMillis,
                    ("shop/front/fe-" + front).getBytes(StandardCharsets.UTF_8),
                    Codecs.OBSERVATION.encode(ObservationBuilder.builder()
                            .service("shop")
                            .tier("front")
                            .server("fe-" + front)
                            .queryClass("high")
                            .secondMillis(secondMillis)
                            .offered(QUERIES_A_SECOND / PARTITIONS)
                            .answered(QUERIES_A_SECOND / PARTITIONS)
                            .timedOut(QUERIES_A_SECOND / 2 / PARTITIONS)
                            .bill(MeasurementBill.NOTHING)
                            .admittedFraction(1)
                            .build())));
        }
        return ids;
    }

    private static void send(
            KafkaSettings kafka,
            KafkaProducer<byte[], byte[]> producer,
            String id,
            long at,
            long appendMillis,
            int found) {
        boolean isDegraded = found < TOP_K;
        byte[] key = id.getBytes(StandardCharsets.UTF_8);
        var unused = producer.send(new ProducerRecord<>(
                kafka.name(Topic.ANSWERS),
                null,
                appendMillis,
                key,
                Codecs.ANSWER.encode(AnswerBuilder.builder()
                        .service("shop")
                        .queryId(id)
                        .queryClass("high")
                        .kind(AnswerKind.ONLINE)
                        .startedAtMillis(at)
                        .answeredAtMillis(at + 50)
                        .deadlineMillis(50)
                        .topK(TOP_K)
                        .invocations(List.of(
                                new Invocation("sparse", Outcome.IN_TIME, 20_000),
                                new Invocation("dense", isDegraded ? Outcome.TIMED_OUT : Outcome.IN_TIME, 50_000)))
                        .items(Items.NONE)
                        .build())));
        if (isDegraded) {
            result(kafka, producer, key, id, appendMillis, "sparse", Phase.ONLINE, at + 20, at, 0, found);
            result(kafka, producer, key, id, appendMillis, "dense", Phase.MATURE, at + 100, at, found, TOP_K);
        }
    }

    /** Sends a result with the items from one number to another; greater ones are better. */
    private static void result(
            KafkaSettings kafka,
            KafkaProducer<byte[], byte[]> producer,
            byte[] key,
            String id,
            long appendMillis,
            String component,
            Phase phase,
            long completedMillis,
            long startedMillis,
            int from,
            int until) {
        long[] ids = new long[until - from];
        float[] scores = new float[ids.length];
        for (int item = 0; item < ids.length; item++) {
            ids[item] = (long) until - item;
            scores[item] = until - item;
        }
        var unused = producer.send(new ProducerRecord<>(
                kafka.name(Topic.PARTIALS),
                null,
                appendMillis,
                key,
                Codecs.PARTIAL_RESULT.encode(PartialResultBuilder.builder()
                        .service("shop")
                        .queryId(id)
                        .component(component)
                        .server("")
                        .phase(phase)
                        .completedAtMillis(completedMillis)
                        .latencyMicros(1_000 * (completedMillis - startedMillis))
                        .items(ids.length == 0 ? Items.NONE : Items.ofNumbers(ids, scores))
                        .startedAtMillis(startedMillis)
                        .build())));
    }
}
