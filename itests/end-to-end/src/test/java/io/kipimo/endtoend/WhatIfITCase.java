package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kipimo.cli.Main;
import io.kipimo.core.Effort;
import io.kipimo.core.whatif.MeasurementReplay;
import io.kipimo.core.whatif.RecordedEvents;
import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.admission.AdmissionJob;
import io.kipimo.jobs.quality.QualityJob;
import io.kipimo.kafka.KafkaPartitions;
import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.ReplicationDecisionBuilder;
import io.kipimo.schemas.replication.TierFactor;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.internal.kafka.TopicReader;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Runs both jobs on a real broker with current traffic, including replication trials. Then runs the command line on the
 * recorded topics: what-if decides and measures as the jobs did, and explains the decisions.
 */
@WithBackends
class WhatIfITCase {
    private static final int DEADLINE = 30;
    private static final long SECOND = 1_000;
    private static final int QUERIES_A_SECOND = 50;
    private static final int DECISIONS = Effort.of(20, 40);
    private static final Policy POLICY = ShopPolicy.of(4, 1_000, 1_000, 1_000);

    private record Printed(int exitCode, String text) {}

    /** A record to send at a given time. */
    private record Due(long atMillis, Topic topic, String key, byte[] value) {}

    private final List<Due> due = new ArrayList<>();
    private final Random random = new Random(47);
    private KafkaProducer<byte[], byte[]> producer;
    private int queries;
    private long replicationSequence;

    @TempDir
    private Path directory;

    @Test
    void jobAndWhatIfDecideAlikeOnOneRecording(Backends backends, FlinkCluster cluster) throws Exception {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "whatif.", Map.of());
        TopicAdmin.createMissing(kafka, 2, (short) 1);
        PolicyStore.publish(kafka, POLICY);
        Configuration config = new Configuration();
        config.setString("kafka.bootstrap-servers", kafka.bootstrapServers());
        config.setString("kafka.topic-prefix", kafka.topicPrefix());
        config.setString("source.out-of-orderness", "1 s");
        config.setString("parallelism.default", "1");
        StreamExecutionEnvironment quality = cluster.environment(JobEnvironment.withDefaults(config));
        QualityJob.define(quality, QualityJob.OPTIONS.read(config));
        JobID qualityJob = quality.executeAsync("quality").getJobID();
        StreamExecutionEnvironment admission = cluster.environment(JobEnvironment.withDefaults(config));
        AdmissionJob.define(admission, AdmissionJob.OPTIONS.read(config));
        JobID admissionJob = admission.executeAsync("admission").getJobID();
        sendUntilItWasDecidedOften(kafka);
        cluster.cancel(admissionJob);
        cluster.cancel(qualityJob);

        decisionsAreTheSame(kafka);
        measurementsAndSlidingWindowsAreTheSame(kafka);
        everyDecisionIsExplained(kafka);
        aForgedDecisionIsFoundOut(kafka);
    }

    private void sendUntilItWasDecidedOften(KafkaSettings kafka) {
        long[] sentUntil = {System.currentTimeMillis() / SECOND * SECOND};
        try (TopicLog<Decision> decisions = new TopicLog<>(kafka, Topic.ADMISSION, Codecs.DECISION)) {
            producer = new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer());
            await("moves of the lower class, and one held by a trial")
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> {
                        long now = System.currentTimeMillis();
                        while (sentUntil[0] <= now) {
                            second(sentUntil[0]);
                            replication(kafka, sentUntil[0]);
                            sentUntil[0] += SECOND;
                        }
                        send(kafka, now);
                        List<Decision> low = decisions.readOn().stream()
                                .filter(d -> d.scope().equals("shop/low"))
                                .toList();
                        return decisions.read().size() > DECISIONS
                                && low.stream()
                                                .filter(d -> d.value() != d.previous())
                                                .count()
                                        >= 3
                                && low.stream()
                                                .filter(WhatIfITCase::awaitsTrial)
                                                .count()
                                        >= 1;
                    });
            producer.close();
        }
    }

    /** Good and bad periods alternate every six seconds. */
    private void second(long startMillis) {
        boolean bad = startMillis / 6_000 % 2 == 0;
        int timedOut = 0;
        for (int i = 0; i < QUERIES_A_SECOND; i++) {
            long at = startMillis + i * SECOND / QUERIES_A_SECOND;
            boolean late = random.nextInt(100) < (bad ? 40 : 4);
            timedOut += late ? 1 : 0;
            query("query-" + queries++, at, late);
        }
        // A front end for each class: their observations are in both partitions, so that none is silent.
        for (String queryClass : List.of("high", "low")) {
            String server = queryClass.equals("high") ? "front-0" : "front-1";
            long answered = queryClass.equals("high") ? QUERIES_A_SECOND : 20;
            Observation observation = ObservationBuilder.builder()
                    .service("shop")
                    .tier("front")
                    .server(server)
                    .queryClass(queryClass)
                    .secondMillis(startMillis)
                    .offered(answered)
                    .answered(answered)
                    .timedOut(queryClass.equals("high") ? timedOut : 0)
                    .bill(MeasurementBill.NOTHING)
                    .admittedFraction(1)
                    .build();
            due.add(new Due(
                    startMillis + SECOND + 20,
                    Topic.OBSERVATIONS,
                    "shop/front/" + server,
                    Codecs.OBSERVATION.encode(observation)));
        }
    }

    /** As the replication job would publish them: trials in good periods, when admission opens. */
    private void replication(KafkaSettings kafka, long startMillis) throws Exception {
        boolean inTrial = startMillis % 12_000 >= 8_000 && startMillis % 12_000 < 11_000;
        long now = System.currentTimeMillis();
        ReplicationDecision decision = ReplicationDecisionBuilder.builder()
                .service("shop")
                .epoch(1)
                .sequence(++replicationSequence)
                .issuedAtMillis(now)
                .asOfMillis(now)
                .validUntilMillis(now + 5_000)
                .tiers(List.of(new TierFactor("front", inTrial ? 2 : 1, 1, 1, false, false)))
                .mode(inTrial ? DecisionMode.ACTIVE : DecisionMode.HOLD)
                .reason(inTrial ? "TRIAL_RUNNING" : "RESTING")
                .inTrial(inTrial)
                .build();
        producer.send(new ProducerRecord<>(
                        kafka.name(Topic.REPLICATION),
                        "shop".getBytes(StandardCharsets.UTF_8),
                        Codecs.REPLICATION_DECISION.encode(decision)))
                .get();
    }

    private static boolean awaitsTrial(Decision decision) {
        return decision.reason().equals("HELD_AWAITING_TURN");
    }

    private void query(String id, long startedAt, boolean late) {
        long answeredAt = startedAt + (late ? DEADLINE : 20);
        Answer answer = AnswerBuilder.builder()
                .service("shop")
                .queryId(id)
                .queryClass("high")
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(startedAt)
                .answeredAtMillis(answeredAt)
                .deadlineMillis(DEADLINE)
                .topK(4)
                .invocations(List.of(
                        new Invocation("fast", Outcome.IN_TIME, 5_000),
                        new Invocation("slow", late ? Outcome.TIMED_OUT : Outcome.IN_TIME, late ? 30_000 : 20_000)))
                .items(Items.NONE)
                .build();
        due.add(new Due(answeredAt, Topic.ANSWERS, id, Codecs.ANSWER.encode(answer)));
        if (late) {
            partial(id, "fast", Phase.ONLINE, startedAt, 5, 1);
            partial(id, "slow", Phase.MATURE, startedAt, 45 + random.nextInt(200), 3);
        }
    }

    private void partial(String id, String component, Phase phase, long startedAt, int afterMillis, long item) {
        PartialResult partial = PartialResultBuilder.builder()
                .service("shop")
                .queryId(id)
                .component(component)
                .server("")
                .phase(phase)
                .completedAtMillis(startedAt + afterMillis)
                .latencyMicros(afterMillis * 1_000L)
                .items(Items.ofNumbers(new long[] {item, item + 1}, new float[] {2, 1}))
                .build();
        due.add(new Due(
                startedAt + Math.max(DEADLINE, afterMillis),
                Topic.PARTIALS,
                id,
                Codecs.PARTIAL_RESULT.encode(partial)));
    }

    private void send(KafkaSettings kafka, long nowMillis) throws Exception {
        due.sort(Comparator.comparingLong(Due::atMillis));
        int ready = 0;
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        while (ready < due.size() && due.get(ready).atMillis <= nowMillis) {
            Due one = due.get(ready++);
            sent.add(producer.send(new ProducerRecord<>(
                    kafka.name(one.topic), null, one.atMillis, one.key.getBytes(StandardCharsets.UTF_8), one.value)));
        }
        due.subList(0, ready).clear();
        producer.flush();
        for (Future<RecordMetadata> one : sent) {
            one.get();
        }
    }

    private void decisionsAreTheSame(KafkaSettings kafka) throws IOException {
        Printed same = whatIf(kafka, 0.2);
        JsonNode answer = new ObjectMapper().readTree(same.text);

        assertThat(answer.path("answersMeasuredAnew").intValue())
                .as("windows as recorded")
                .isZero();
        assertThat(answer.path("admission").size()).isGreaterThan(DECISIONS);
        assertThat(answer.path("admission")).allMatch(d -> d.path("alike").booleanValue());
        assertThat(answer.path("admission"))
                .as("equal in every field")
                .allMatch(d -> isSame(d.path("then"), d.path("now")));
        assertThat(answer.path("admission").size())
                .isEqualTo(all(kafka, Topic.ADMISSION, Codecs.DECISION).size());
        assertThat(answer.path("sampling")).allMatch(d -> d.path("alike").booleanValue());
        assertThat(answer.at("/classes/low/now/shed")).isEqualTo(answer.at("/classes/low/then/shed"));
        assertThat(same.exitCode).isZero();
    }

    /** Compares without the version, which a document need not have. */
    private static boolean isSame(JsonNode then, JsonNode now) {
        return ((ObjectNode) then.deepCopy())
                .without("configVersion")
                .equals(((ObjectNode) now.deepCopy()).without("configVersion"));
    }

    private Printed whatIf(KafkaSettings kafka, double ki) throws IOException {
        String stored = kipimo(kafka, "policy", "show", "shop").text;
        assertThat(stored).contains("ki: 0.2\n");
        Path file = directory.resolve("policy.yaml");
        Files.writeString(file, stored.replace("ki: 0.2\n", "ki: " + ki + "\n"));
        return kipimo(kafka, "whatif", "--policy=" + file, "--json");
    }

    private static void measurementsAndSlidingWindowsAreTheSame(KafkaSettings kafka) {
        MeasurementReplay.ReplayedMeasurements again = MeasurementReplay.replay(
                POLICY,
                new RecordedEvents(
                        all(kafka, Topic.ANSWERS, Codecs.ANSWER),
                        all(kafka, Topic.PARTIALS, Codecs.PARTIAL_RESULT),
                        all(kafka, Topic.OBSERVATIONS, Codecs.OBSERVATION)),
                new KafkaPartitions(TopicAdmin.partitions(kafka, Topic.ANSWERS))::partitionOf);

        List<Measurement> measured = all(kafka, Topic.QUALITY, Codecs.MEASUREMENT);
        Map<String, Measurement> byQuery = by(again.measurements(), Measurement::queryId);
        assertThat(measured).hasSizeGreaterThan(300);
        assertThat(measured)
                .allSatisfy(m -> assertThat(byQuery.get(m.queryId())).isEqualTo(m));

        Map<String, QualityWindow> byEnd = by(again.windows(), WhatIfITCase::identity);
        List<QualityWindow> sliding = all(kafka, Topic.QUALITY_WINDOWS, Codecs.QUALITY_WINDOW).stream()
                .filter(w -> w.kind() == WindowKind.SLIDING)
                .toList();
        assertThat(sliding).hasSizeGreaterThan(5);
        assertThat(sliding).allSatisfy(w -> assertThat(byEnd.get(identity(w)))
                .usingRecursiveComparison()
                // The replay may learn costs one batch later.
                .ignoringFields("estimator")
                .withComparatorForType((a, b) -> Math.abs(a - b) < 1e-9 ? 0 : Double.compare(a, b), Double.class)
                .isEqualTo(w));
    }

    private static String identity(QualityWindow w) {
        return w.queryClass() + '/' + w.kind() + '/' + w.endMillis();
    }

    private static <T> Map<String, T> by(List<T> records, Function<T, String> key) {
        return records.stream().collect(Collectors.toMap(key, r -> r, (a, b) -> a, TreeMap::new));
    }

    private static void everyDecisionIsExplained(KafkaSettings kafka) {
        List<Decision> decisions = all(kafka, Topic.ADMISSION, Codecs.DECISION).stream()
                .filter(d -> d.scope().equals("shop/low"))
                .toList();
        List<Decision> chosen = new ArrayList<>();
        for (int i = 0; i < decisions.size(); i += decisions.size() / 4) {
            chosen.add(decisions.get(i));
        }
        decisions.stream().filter(WhatIfITCase::awaitsTrial).limit(2).forEach(chosen::add);
        for (Decision one : chosen) {
            Printed explained = kipimo(kafka, "explain", one.scope() + '@' + one.epoch() + '.' + one.sequence());
            assertThat(explained.text)
                    .contains("Input: ")
                    .contains("Decision: " + one.mode() + ", " + one.reason())
                    .contains("SAME: the inputs lead to");
            assertThat(explained.exitCode).isZero();
        }
        Printed sampling = kipimo(kafka, "explain", "shop");
        assertThat(sampling.text).contains("Step: from ").contains("SAME: the inputs lead to");
    }

    private static void aForgedDecisionIsFoundOut(KafkaSettings kafka) throws Exception {
        List<Decision> decisions = all(kafka, Topic.ADMISSION, Codecs.DECISION);
        Decision d = decisions.get(decisions.size() - 1);
        Decision forged = DecisionBuilder.builder(d)
                .scope("shop/low")
                .sequence(d.sequence() + 1)
                .value(0.123)
                .build();
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(
                            kafka.name(Topic.ADMISSION),
                            "shop/low".getBytes(StandardCharsets.UTF_8),
                            Codecs.DECISION.encode(forged)))
                    .get();
        }
        Printed explained = kipimo(kafka, "explain", "shop/low");
        assertThat(explained.text).contains("OTHER: ").contains("value is 0.123");
        assertThat(explained.exitCode).isEqualTo(1);
    }

    private static <T> List<T> all(KafkaSettings kafka, Topic topic, Codec<T> codec) {
        List<T> records = new ArrayList<>();
        TopicReader.read(kafka, topic, 0, codec, records::add);
        return records;
    }

    private static Printed kipimo(KafkaSettings kafka, String... arguments) {
        StringWriter text = new StringWriter();
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(text));
        command.setErr(new PrintWriter(text));
        String[] all = Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "--bootstrap-servers=" + kafka.bootstrapServers();
        all[arguments.length + 1] = "--prefix=" + kafka.topicPrefix();
        int exitCode = command.execute(all);
        command.getOut().flush();
        command.getErr().flush();
        return new Printed(exitCode, text.toString());
    }
}
