package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.kafka.KafkaPartitions;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QueryKey;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/**
 * The local join after a restart, with a partition that was away: its events are strays, and the partitions that they
 * belong to are a minute ahead. As when partitions are added while the job is down, or when a writer with its own
 * partitioner comes back.
 */
@WithBackends
class StraysITCase {
    private static final int PARTITIONS = 4;
    private static final int WINDOW_MILLIS = 3_000;
    private static final int STRAYS = 40;
    private static final KafkaPartitions PLACES = new KafkaPartitions(PARTITIONS);

    /** Partition of the strays; nobody else writes to it. */
    private static final int AWAY = 0;

    private final long beganMillis = System.currentTimeMillis() - 120_000;

    @Test
    void straysBehindABacklogLoseNoQueryAndDoubleNone(Backends backends, FlinkCluster cluster) throws Exception {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "strays.", Map.of());
        TopicAdmin.createMissing(kafka, PARTITIONS, (short) 1);
        PolicyStore.publish(kafka, ShopPolicy.of(10, WINDOW_MILLIS, 10_000, 1_000));
        Map<String, String> local = Map.of("join.path", "LOCAL");
        try (TopicLog<Measurement> rows = new TopicLog<>(kafka, Topic.QUALITY, Codecs.MEASUREMENT);
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer())) {
            JobID first = QualityJobs.start(cluster, kafka, 2, local);
            int known = 0;
            // Their rows show that event time has passed.
            for (int partition = 1; partition < PARTITIONS; partition++) {
                var unused = producer.send(answer(kafka, partition, idOf(partition), beganMillis));
                known++;
            }
            for (long at = beganMillis; at < beganMillis + 60_000; at += 200) {
                known += sendInItsPlace(kafka, producer, "q" + at, at) ? 1 : 0;
            }
            producer.flush();
            int measured = known;
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(rows.readOn()).hasSize(measured));
            String savepoint = cluster.stopWithSavepoint(first);

            for (long at = beganMillis + 60_000; at < beganMillis + 110_000; at += 200) {
                known += sendInItsPlace(kafka, producer, "q" + at, at) ? 1 : 0;
            }
            int lost = 0;
            for (int stray = 0; stray < STRAYS; stray++) {
                lost += sendAway(kafka, producer, "s" + stray, beganMillis + 20_000) ? 1 : 0;
            }
            // Copies of events whose queries have their rows, if they are not new there.
            for (long at = beganMillis + 20_000; at < beganMillis + 30_000; at += 200) {
                known += sendAway(kafka, producer, "q" + at, at) ? 0 : 1;
            }
            producer.flush();
            assertThat(lost).isPositive();
            Map<String, String> again = new HashMap<>(local);
            again.put(StateRecoveryOptions.SAVEPOINT_PATH.key(), savepoint);
            JobID second = QualityJobs.start(cluster, kafka, 2, again);
            int all = known + STRAYS;
            await().atMost(PATIENCE).untilAsserted(() -> {
                assertThat(cluster.metricSum(second, "openQueries")).isZero();
                assertThat(rows.readOn()).hasSizeGreaterThanOrEqualTo(all);
            });
            assertThat(rows.readOn())
                    .hasSize(all)
                    .extracting(Measurement::queryId)
                    .doesNotHaveDuplicates();
            assertThat(rows.readOn().stream()
                            .filter(row -> row.completeness() == Completeness.EXPIRED)
                            .map(Measurement::queryId))
                    .containsExactlyInAnyOrder(idOf(1), idOf(2), idOf(3));
            cluster.cancel(second);
        }
    }

    /** Sends a query to its partition, unless that is the one that is away. */
    private static boolean sendInItsPlace(
            KafkaSettings kafka, KafkaProducer<byte[], byte[]> producer, String id, long at) {
        int partition = PLACES.partitionOf(new QueryKey("shop", id));
        if (partition == AWAY) {
            return false;
        }
        send(kafka, producer, partition, id, at);
        return true;
    }

    /** @return whether it is a stray there */
    private static boolean sendAway(KafkaSettings kafka, KafkaProducer<byte[], byte[]> producer, String id, long at) {
        send(kafka, producer, AWAY, id, at);
        return PLACES.partitionOf(new QueryKey("shop", id)) != AWAY;
    }

    private static void send(
            KafkaSettings kafka, KafkaProducer<byte[], byte[]> producer, int partition, String id, long at) {
        var unusedAnswer = producer.send(answer(kafka, partition, id, at));
        var unusedResult = producer.send(new ProducerRecord<>(
                kafka.name(Topic.PARTIALS),
                partition,
                id.getBytes(StandardCharsets.UTF_8),
                Codecs.PARTIAL_RESULT.encode(PartialResultBuilder.builder()
                        .service("shop")
                        .queryId(id)
                        .component("dense")
                        .server("")
                        .phase(Phase.MATURE)
                        .completedAtMillis(at + 60)
                        .latencyMicros(60_000)
                        .items(Items.NONE)
                        .startedAtMillis(at)
                        .build())));
    }

    private static ProducerRecord<byte[], byte[]> answer(KafkaSettings kafka, int partition, String id, long at) {
        return new ProducerRecord<>(
                kafka.name(Topic.ANSWERS),
                partition,
                id.getBytes(StandardCharsets.UTF_8),
                Codecs.ANSWER.encode(AnswerBuilder.builder()
                        .service("shop")
                        .queryId(id)
                        .queryClass("high")
                        .kind(AnswerKind.ONLINE)
                        .startedAtMillis(at)
                        .answeredAtMillis(at + 50)
                        .deadlineMillis(50)
                        .topK(10)
                        .invocations(List.of(new Invocation("dense", Outcome.TIMED_OUT, 50_000)))
                        .items(Items.NONE)
                        .build()));
    }

    /** Id of a query of a partition. */
    private static String idOf(int partition) {
        return IntStream.iterate(0, n -> n + 1)
                .mapToObj(n -> "expired" + n)
                .filter(id -> PLACES.partitionOf(new QueryKey("shop", id)) == partition)
                .findFirst()
                .orElseThrow();
    }
}
