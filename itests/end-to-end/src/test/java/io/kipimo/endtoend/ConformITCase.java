package io.kipimo.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.observation.ComponentCount;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.OpenTransaction;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** {@code kipimo conform} on a real broker: it accepts right records, and names the faults of wrong ones. */
@WithBackends
class ConformITCase {
    private static final long NOW = System.currentTimeMillis() / 1000 * 1000;
    private static final Invocation THERE = new Invocation("bm25", Outcome.IN_TIME, 9_000);
    private static final Invocation LATE = new Invocation("dense", Outcome.TIMED_OUT, 50_000);

    private static KafkaSettings topics(Backends backends, String prefix) {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), prefix, Map.of());
        TopicAdmin.createMissing(kafka, 0, (short) 1);
        return kafka;
    }

    private static CommandLineRun conform(KafkaSettings kafka, String... more) {
        List<String> words = new ArrayList<>(List.of(
                "conform", "--bootstrap-servers=" + kafka.bootstrapServers(), "--topic-prefix=" + kafka.topicPrefix()));
        words.addAll(List.of(more));
        return CommandLineRun.of(words);
    }

    /** Writes records without any check. */
    private static final class Emitter implements AutoCloseable {
        private final KafkaSettings kafka;
        private final KafkaProducer<byte[], byte[]> producer;

        Emitter(KafkaSettings kafka) {
            this.kafka = kafka;
            producer = new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer());
        }

        void send(Topic topic, Integer partition, String key, byte[] value) throws Exception {
            producer.send(new ProducerRecord<>(
                            kafka.name(topic), partition, key.getBytes(StandardCharsets.UTF_8), value))
                    .get();
        }

        void send(Answer answer) throws Exception {
            send(Topic.ANSWERS, null, answer.queryId(), Codecs.ANSWER.encode(answer));
        }

        void send(PartialResult partial) throws Exception {
            send(Topic.PARTIALS, null, partial.queryId(), Codecs.PARTIAL_RESULT.encode(partial));
        }

        void observe(long secondMillis, long answered) throws Exception {
            Observation observation = ObservationBuilder.builder()
                    .service("shop")
                    .tier("front")
                    .server("f1")
                    .queryClass("high")
                    .secondMillis(secondMillis)
                    .offered(answered)
                    .answered(answered)
                    .components(List.of(new ComponentCount("bm25", answered, 0)))
                    .bill(MeasurementBill.NOTHING)
                    .admittedFraction(1)
                    .build();
            send(Topic.OBSERVATIONS, null, "shop/front/f1", Codecs.OBSERVATION.encode(observation));
        }

        @Override
        public void close() {
            producer.close();
        }
    }

    private static Answer answer(String id, Invocation... invocations) {
        return AnswerBuilder.builder()
                .service("shop")
                .queryId(id)
                .queryClass("high")
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(NOW)
                .answeredAtMillis(NOW + 50)
                .deadlineMillis(50)
                .topK(10)
                .invocations(List.of(invocations))
                .items(Items.NONE)
                .build();
    }

    private static PartialResult late(String id, String component, long startedAtMillis, int items) {
        return PartialResultBuilder.builder()
                .service("shop")
                .queryId(id)
                .component(component)
                .server("")
                .phase(Phase.MATURE)
                .completedAtMillis(NOW + 80)
                .latencyMicros(80_000)
                .items(Items.ofNumbers(new long[items], new float[items]))
                .startedAtMillis(startedAtMillis)
                .build();
    }

    private static String trace(int i) {
        return "00000000000000000%015x".formatted(0xf0_0000_0000_0000L + i * 0x100_0000_0000L);
    }

    /** No reader of committed records sees what is behind it. */
    @Test
    void anOpenTransactionIsNamedWithItsProducer(Backends backends) throws Exception {
        KafkaSettings kafka = topics(backends, "conform-transaction.");
        Map<String, Object> transactional = kafka.forProducer();
        transactional.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "hung-front-end");
        try (Emitter plain = new Emitter(kafka);
                KafkaProducer<byte[], byte[]> hung =
                        new KafkaProducer<>(transactional, new ByteArraySerializer(), new ByteArraySerializer())) {
            hung.initTransactions();
            hung.beginTransaction();
            hung.send(new ProducerRecord<>(kafka.name(Topic.ANSWERS), 0, null, new byte[] {1}))
                    .get();
            plain.send(Topic.ANSWERS, 0, "q1", Codecs.ANSWER.encode(answer("q1", THERE)));
            assertThat(TopicAdmin.openTransactions(kafka, System.currentTimeMillis() + 60_000))
                    .singleElement()
                    .matches(OpenTransaction::hangs)
                    .asString()
                    .startsWith("conform-transaction.answers-0: 2 records wait behind an open transaction of producer"
                            + " hung-front-end, which has been silent for 6");
            hung.abortTransaction();
            // The broker ends it soon after it has said so.
            org.awaitility.Awaitility.await().until(() -> TopicAdmin.openTransactions(kafka, System.currentTimeMillis())
                    .isEmpty());
        }
    }

    @Test
    void whatIsRightPassesAndWhatIsMissingIsNotEnough(Backends backends) throws Exception {
        KafkaSettings kafka = topics(backends, "conform-right.");
        CommandLineRun nothing = conform(kafka, "--from-beginning");
        assertThat(nothing.exitCode()).isEqualTo(3);
        assertThat(nothing.out()).contains("Nothing was emitted.");

        try (Emitter emitter = new Emitter(kafka)) {
            for (int i = 0; i < 20; i++) {
                emitter.send(answer(trace(i), THERE, LATE));
                emitter.send(late(trace(i), "dense", NOW, 3));
            }
            emitter.observe(NOW - 1000, 100);
            emitter.observe(NOW, 120);
        }

        CommandLineRun right = conform(kafka, "--from-beginning", "--rate=0.2");
        assertThat(right.exitCode()).as(right.toString()).isZero();
        assertThat(right.out()).contains("42 records of shop", "Nothing is wrong.");
        CommandLineRun other = conform(kafka, "--from-beginning", "--service=other");
        assertThat(other.exitCode()).isEqualTo(3);
    }

    @Test
    void whatIsWrongIsNamedTheMostImportantFirst(Backends backends) throws Exception {
        KafkaSettings kafka = topics(backends, "conform-wrong.");
        try (Emitter emitter = new Emitter(kafka)) {
            emitter.send(Topic.ANSWERS, null, "q", "not a message".getBytes(StandardCharsets.UTF_8));
            emitter.send(answer(trace(1)));
            emitter.send(Topic.ANSWERS, null, "shop", Codecs.ANSWER.encode(answer(trace(2), THERE)));
            // One of the two is not the key's partition.
            for (int partition = 0; partition < 2; partition++) {
                emitter.send(
                        Topic.ANSWERS,
                        partition,
                        trace(30 + partition),
                        Codecs.ANSWER.encode(answer(trace(30 + partition), THERE)));
                emitter.send(Topic.ANSWERS, partition, trace(32), Codecs.ANSWER.encode(answer(trace(32), THERE)));
            }
            // Seconds instead of milliseconds.
            Answer inSeconds = AnswerBuilder.builder()
                    .service("shop")
                    .queryId(trace(4))
                    .queryClass("high")
                    .kind(AnswerKind.ONLINE)
                    .startedAtMillis(NOW / 1000)
                    .answeredAtMillis(NOW / 1000)
                    .deadlineMillis(50)
                    .topK(10)
                    .invocations(List.of(THERE))
                    .items(Items.NONE)
                    .build();
            emitter.send(inSeconds);
            emitter.send(answer("00000000000000000000000000000005", THERE));
            emitter.send(late(trace(6), "dense", NOW, 1));
            emitter.send(answer(trace(7), THERE, LATE));
            emitter.send(answer(trace(8), THERE, LATE));
            emitter.send(late(trace(8), "graph", NOW, 1));
            emitter.send(late(trace(8), "dense", NOW + 7, 1));
            emitter.send(late(trace(8), "dense", 0, 10_001));
            emitter.send(AnswerBuilder.builder(answer(trace(9), THERE))
                    .variant("canary")
                    .build());
            emitter.observe(NOW - 10_000, 1);
            emitter.observe(NOW, 1);
        }

        CommandLineRun run = conform(kafka, "--from-beginning", "--rate=0.2", "--json");
        assertThat(run.exitCode()).isEqualTo(1);
        JsonNode report = new ObjectMapper().readTree(run.out());
        assertThat(report.path("conforms").asBoolean()).isFalse();
        assertThat(report.path("findings").findValuesAsText("rule"))
                .containsExactly(
                        "UNREADABLE",
                        "NO_COMPONENTS",
                        "EVENT_TIME",
                        "WRONG_KEY",
                        "WRONG_PARTITION",
                        "SAMPLING",
                        "PARTIALS_WITHOUT_ANSWER",
                        "ANSWER_WITHOUT_PARTIALS",
                        "UNNAMED_COMPONENT",
                        "START_DIFFERS",
                        "NO_START",
                        "OBSERVATION_GAPS",
                        "UNCOUNTED_VARIANT",
                        "REPEATED_IDS",
                        "TOO_MANY_ITEMS");
        assertThat(report.path("findings").findValuesAsText("advice")).allMatch(advice -> advice.endsWith("."));
        assertThat(conform(kafka, "--from-beginning").out())
                .contains("WRONG   records cannot be read: 1", "shop: answers name no component");
    }

    @Test
    void whatComesWhileItReadsIsChecked(Backends backends) throws Exception {
        KafkaSettings kafka = topics(backends, "conform-live.");
        Thread service = new Thread(() -> {
            try (Emitter emitter = new Emitter(kafka)) {
                for (int i = 0; i < 30; i++) {
                    emitter.send(answer(trace(i), THERE));
                    Thread.sleep(200);
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        service.start();
        CommandLineRun run = conform(kafka, "--for=4s");
        service.join();
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("shop: classes with answers have no observations: 1");
    }

    @Test
    void badUsageIsOneLine(Backends backends) {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "conform-absent.", Map.of());
        for (CommandLineRun run : List.of(
                conform(kafka),
                conform(kafka, "--for=soon"),
                conform(kafka, "--rate=2"),
                CommandLineRun.of(List.of("conform", "--bootstrap-servers=127.0.0.1:1")))) {
            assertThat(run.exitCode()).as(run.toString()).isEqualTo(2);
            assertThat(run.err().lines()).singleElement().asString().startsWith("kipimo: ");
        }
    }
}
