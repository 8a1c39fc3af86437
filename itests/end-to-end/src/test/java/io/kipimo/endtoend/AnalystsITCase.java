package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.core.quality.deadline.QueryReplay;
import io.kipimo.embedded.process.ChildProcess;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.Score;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Other tools read the same figures as Kipimo's own commands: Flink SQL by the statements of docs/analysts.md, and,
 * with {@code -Pfull}, ir_measures and pyarrow. {@code -Dkipimo.python.analysts=…} names an interpreter that has both.
 */
@Tag("full")
@WithBackends
class AnalystsITCase {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path PAGE =
            Path.of("../../docs/analysts.md").toAbsolutePath().normalize();
    private static final Path BED = Path.of("../sql/target").toAbsolutePath().normalize();
    private static final List<String> COMPONENTS = List.of("bm25", "dense", "graph");
    private static final int QUERIES = 200;
    private static final int TOP_K = 10;
    private static int runs;

    @TempDir
    private Path directory;

    private KafkaSettings kafka;
    private final List<Measurement> measured = new ArrayList<>();

    private static final int WEIGHT = 10;

    /** Queries of which some lack a component, of which some cannot be measured. */
    @BeforeEach
    void publish(Backends backends) throws Exception {
        kafka = new KafkaSettings(backends.bootstrapServers(), "analysts-" + ++runs + ".", Map.of());
        TopicAdmin.createMissing(kafka, 2, (short) 1);
        PolicyStore.publish(kafka, policy());
        SplittableRandom random = new SplittableRandom(31);
        List<Answer> answers = new ArrayList<>();
        List<PartialResult> results = new ArrayList<>();
        for (int i = 0; i < QUERIES; i++) {
            query("query " + i, random, answers, results);
        }
        // A tenth of the queries stands for ten each, as after a sampled backlog.
        QueryReplay replay = new QueryReplay(
                policy(),
                m -> measured.add(m.toBuilder()
                        .weight(m.queryId().endsWith("7") ? WEIGHT : 0)
                        .build()),
                profile -> {});
        answers.forEach(replay::add);
        results.forEach(replay::add);
        replay.finish();
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer())) {
            answers.forEach(a -> send(producer, Topic.ANSWERS, a.queryId(), Codecs.ANSWER.encode(a)));
            results.forEach(r -> send(producer, Topic.PARTIALS, r.queryId(), Codecs.PARTIAL_RESULT.encode(r)));
            measured.forEach(m -> send(producer, Topic.QUALITY, m.queryId(), Codecs.MEASUREMENT.encode(m)));
        }
        assertThat(measured).hasSize(QUERIES);
    }

    private void send(KafkaProducer<byte[], byte[]> producer, Topic topic, String key, byte[] value) {
        var unused =
                producer.send(new ProducerRecord<>(kafka.name(topic), key.getBytes(StandardCharsets.UTF_8), value));
    }

    private static Policy policy() {
        return Policy.builder()
                .service("shop")
                .version(1)
                .metrics(List.of("tpr@10", "ndcg@10"))
                .topK(TOP_K)
                .expirationWindowMillis(10_000)
                .classes(List.of(
                        ClassPolicy.builder().name("high").objective(0.9).build()))
                .build();
    }

    private static void query(String id, SplittableRandom random, List<Answer> answers, List<PartialResult> results) {
        long start = 1_782_043_200_000L + random.nextInt(1_000_000);
        List<Invocation> invocations = new ArrayList<>();
        boolean isMeasurable = random.nextInt(20) > 0;
        for (String component : COMPONENTS) {
            boolean isLate = random.nextInt(3) == 0;
            invocations.add(new Invocation(component, isLate ? Outcome.TIMED_OUT : Outcome.IN_TIME, 20_000));
            results.add(PartialResultBuilder.builder()
                    .service("shop")
                    .queryId(id)
                    .component(component)
                    .server("")
                    .phase(isLate ? Phase.MATURE : Phase.ONLINE)
                    .completedAtMillis(start + (isLate ? 80 : 20))
                    .latencyMicros(20_000)
                    .items(items(random))
                    .startedAtMillis(start)
                    .build());
        }
        answers.add(AnswerBuilder.builder()
                .service("shop")
                .queryId(id)
                .queryClass("high")
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(start)
                .answeredAtMillis(start + 50)
                .deadlineMillis(50)
                .invocations(invocations)
                .unmeasurable(isMeasurable ? Optional.empty() : Optional.of(Unmeasurable.CUT))
                .variant(random.nextBoolean() ? "canary" : "")
                .build());
    }

    private static Items items(SplittableRandom random) {
        Map<String, Float> scores = new TreeMap<>();
        while (scores.size() < 8) {
            // Few scores, so that there are ties, and ids that TREC files cannot have.
            scores.put("doc " + random.nextInt(40), random.nextInt(12) / 2f);
        }
        float[] values = new float[scores.size()];
        int i = 0;
        for (float score : scores.values()) {
            values[i++] = score;
        }
        return Items.ofTexts(scores.keySet().toArray(String[]::new), values);
    }

    private CommandLineRun kipimo(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.add("--bootstrap-servers=" + kafka.bootstrapServers());
        all.add("--prefix=" + kafka.topicPrefix());
        CommandLineRun run = CommandLineRun.of(all);
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        return run;
    }

    @Test
    void flinkSqlReadsWhatTailPrints() throws Exception {
        Path rows = directory.resolve("rows");
        Path log = directory.resolve("log");
        String classPath = String.join(
                File.pathSeparator,
                BED.resolve("test-classes").toString(),
                placeOf(ChildProcess.class),
                Files.readString(BED.resolve("classpath.txt")).strip());
        try (ChildProcess process = ChildProcess.start(
                "io.kipimo.sql.SqlBed",
                classPath,
                List.of("-Xmx768m", "--add-opens=java.base/java.util=ALL-UNNAMED"),
                List.of(
                        PAGE.toString(),
                        kafka.bootstrapServers(),
                        kafka.topicPrefix(),
                        rows.toString(),
                        "SELECT query_id, query_class, `variant`, completeness, unmeasurable,"
                                + " degraded, top_k, weight, started_at_millis, metric, low, high"
                                + " FROM quality CROSS JOIN UNNEST(scores) AS s (metric, low, high)",
                        "SELECT query_id, component, outcome, missing, lost_quality,"
                                + " contribution FROM quality CROSS JOIN UNNEST(components)"
                                + " AS c (component, outcome, latency_micros, missing, lost_quality, contribution)",
                        "SELECT query_id, unmeasurable FROM quality WHERE completeness = 'NOT_MEASURABLE'"),
                log)) {
            await().atMost(PATIENCE).until(() -> !process.isAlive());
        }
        assertThat(rows).as(Files.readString(log)).isNotEmptyFile();
        List<String> expected = new ArrayList<>();
        List<JsonNode> tailed = new ArrayList<>();
        for (String line : kipimo("tail", "quality", "--from-beginning", "--until-end")
                .out()
                .lines()
                .toList()) {
            tailed.add(JSON.readTree(line));
        }
        assertThat(tailed).hasSize(QUERIES);
        for (JsonNode m : tailed) {
            String id = m.path("queryId").asText();
            for (JsonNode s : m.path("scores")) {
                expected.add(tabbed(
                        "1",
                        id,
                        m.path("queryClass").asText(),
                        m.path("variant").asText(),
                        m.path("completeness").asText(),
                        m.path("unmeasurable").asText(),
                        m.path("degraded").asText(),
                        m.path("topK").asText(),
                        m.path("weight").asInt(),
                        m.path("startedAtMillis").asText(),
                        s.path("metric").asText(),
                        s.path("low").asDouble(),
                        s.path("high").asDouble()));
            }
            for (JsonNode c : m.path("components")) {
                expected.add(tabbed(
                        "2",
                        id,
                        c.path("component").asText(),
                        c.path("outcome").asText(),
                        c.path("missing").asText(),
                        c.path("lostQuality").asDouble(),
                        c.path("contribution").asDouble()));
            }
            if (m.path("completeness").asText().equals("NOT_MEASURABLE")) {
                expected.add(tabbed("3", id, m.path("unmeasurable").asText()));
            }
        }
        List<String> found = Files.readAllLines(rows);
        assertThat(found.stream().filter(line -> !line.startsWith("0")).toList())
                .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(found.stream().filter(line -> line.startsWith("0")).toList())
                .as("the query of the page")
                .hasSize(2)
                .anySatisfy(line -> {
                    String[] row = line.split("\t");
                    assertThat(row[3]).isEqualTo("tpr@10");
                    assertThat(Double.parseDouble(row[6])).isCloseTo(mean("tpr@10"), within(1e-9));
                });
    }

    private double mean(String metric) {
        double sum = 0;
        double queries = 0;
        for (Measurement m : measured) {
            for (Score s : m.scores()) {
                sum += s.metric().equals(metric) ? m.represents() * s.high() : 0;
                queries += s.metric().equals(metric) ? m.represents() : 0;
            }
        }
        return sum / queries;
    }

    private static String tabbed(Object... values) {
        return java.util.Arrays.stream(values).map(String::valueOf).collect(Collectors.joining("\t"));
    }

    private static String placeOf(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }

    @Test
    void irMeasuresScoresTheRunsAsScoreDoes() throws Exception {
        Path runs = directory.resolve("runs");
        kipimo("export", "quality", "--trec=" + runs, "--depth=" + TOP_K);
        CommandLineRun scored = CommandLineRun.of(List.of(
                "score",
                "--online=" + runs.resolve("online.run"),
                "--mature=" + runs.resolve("mature.run"),
                "--metrics=tpr@10,ndcg@10,ap@10",
                "--json"));
        JsonNode scores = JSON.readTree(scored.out());
        JsonNode theirs = python("""
                        import collections, json, sys
                        import ir_measures
                        from ir_measures import AP, R, nDCG
                        qrels = list(ir_measures.read_trec_qrels(sys.argv[1] + "/mature.qrels"))
                        run = list(ir_measures.read_trec_run(sys.argv[1] + "/online.run"))
                        names = {R@10: "tpr@10", nDCG@10: "ndcg@10", AP@10: "ap@10"}
                        found = collections.defaultdict(dict)
                        for metric in ir_measures.iter_calc(list(names), qrels, run):
                            found[metric.query_id][names[metric.measure]] = metric.value
                        print(json.dumps(found))
                        """, runs.toString());
        assertThat(theirs.size()).isEqualTo(scores.path("queries").size()).isGreaterThan(150);
        int degraded = 0;
        for (Map.Entry<String, JsonNode> query : theirs.properties()) {
            JsonNode ours = scores.path("queries").path(query.getKey());
            for (String metric : List.of("tpr@10", "ndcg@10", "ap@10")) {
                assertThat(query.getValue().path(metric).asDouble())
                        .as(query.getKey() + " " + metric)
                        .isCloseTo(ours.path(metric).asDouble(), within(1e-6));
            }
            degraded += ours.path("tpr@10").asDouble() < 1 ? 1 : 0;
        }
        assertThat(degraded).isGreaterThan(50);
    }

    @Test
    void pyarrowReadsTheTableThatWasExported() throws Exception {
        Path file = directory.resolve("quality.parquet");
        kipimo("export", "quality", "--parquet=" + file);
        JsonNode rows = python("""
                        import json, sys
                        import pyarrow.parquet
                        table = pyarrow.parquet.read_table(sys.argv[1])
                        rows = table.to_pylist()
                        for row in rows:
                            for name in ("started_at", "measured_at"):
                                row[name] = round(row[name].timestamp() * 1000)
                        print(json.dumps(rows))
                        """, file.toString());
        List<String> found = new ArrayList<>();
        rows.forEach(r -> found.add(tabbed(
                r.path("query_id").asText(),
                r.path("variant").asText(),
                r.path("measured_at").asLong(),
                r.path("completeness").asText(),
                r.path("unmeasurable").asText(),
                r.path("degraded").asBoolean(),
                r.path("weight").asInt(),
                r.path("top_k").asInt(),
                r.path("metric").asText(),
                r.path("low").isNull() ? "null" : r.path("low").asDouble(),
                r.path("late_components").asText())));
        List<String> expected = new ArrayList<>();
        for (Measurement m : measured) {
            String late = m.components().stream()
                    .filter(c -> c.outcome().isLate())
                    .map(c -> c.component())
                    .collect(Collectors.joining(","));
            List<String> begin = List.of(
                    m.queryId(),
                    m.variant().isEmpty() ? "null" : m.variant(),
                    "" + m.measuredAtMillis(),
                    m.completeness().name(),
                    m.unmeasurable().map(Enum::name).orElse("null"),
                    "" + m.degraded(),
                    "" + m.represents(),
                    "" + m.topK());
            String row = String.join("\t", begin);
            String end = late.isEmpty() ? "null" : late;
            if (m.scores().isEmpty()) {
                expected.add(tabbed(row, "null", "null", end));
            }
            m.scores().forEach(s -> expected.add(tabbed(row, s.metric(), s.low(), end)));
        }
        assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
    }

    /** What a script prints as JSON. */
    private JsonNode python(String script, String argument) throws Exception {
        Path out = directory.resolve("out.json");
        Path log = directory.resolve("python.log");
        String python =
                Python.with(AnalystsITCase.class, "kipimo.python.analysts", directory, "ir-measures", "pyarrow");
        Process process = new ProcessBuilder(python, "-c", script, argument)
                .redirectOutput(out.toFile())
                .redirectError(log.toFile())
                .start();
        assertThat(process.waitFor()).as(Files.readString(log)).isZero();
        return JSON.readTree(Files.readString(out));
    }
}
