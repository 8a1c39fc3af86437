package io.kipimo.engines;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.kipimo.cli.Main;
import io.kipimo.embedded.kafka.EmbeddedKafka;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.embedded.process.ChildProcess;
import io.kipimo.embedded.process.ForeignProcess;
import io.kipimo.embedded.process.FreePorts;
import io.kipimo.engines.EngineContract.Query;
import io.kipimo.harness.solr.SolrCloud;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The spans that Solr makes by itself, sent to {@code kipimo otlp}: which answers lacked a shard, and which one, is
 * what the callers saw. Their quality is not known, since the spans have no items.
 */
@Tag("full")
class SolrSpansITCase {
    private static final Path BED =
            Path.of("..", "solr", "target").toAbsolutePath().normalize();
    private static final int SHARDS = 4;
    private static final int QUERIES = 30;

    /** Every so many queries one has a slow shard. */
    private static final int SLOW = 3;

    /** A second longer than the coordinator waits. */
    private static final int SLOW_MILLIS = 2_500;

    @AutoClose
    private final Started started = new Started();

    @TempDir
    private Path directory;

    @Test
    void theAnswersThatLackShardsAreThoseThatCallersSaw() throws Exception {
        int[] free = FreePorts.distinct(2);

        check(free[0], free[1], free[0]);
    }

    /** With the configuration of {@code docs/otlp.md}. */
    @Test
    void theSameThroughACollector() throws Exception {
        int[] free = FreePorts.distinct(4);
        started.keep(OtlpCollector.start(
                Map.of(
                        "grpc: {}", "grpc: {endpoint: '127.0.0.1:" + free[3] + "'}",
                        "http: {}", "http: {endpoint: '127.0.0.1:" + free[2] + "'}",
                        "http://kipimo:4318", "http://127.0.0.1:" + free[0]),
                free[2],
                directory));

        check(free[0], free[1], free[2]);
    }

    /**
     * @param listen port of {@code kipimo otlp}
     * @param admin its other port
     * @param exported where Solr sends its spans
     */
    private void check(int listen, int admin, int exported) throws Exception {
        EmbeddedKafka broker = started.keep(EmbeddedKafka.start());
        KafkaSettings kafka = new KafkaSettings(broker.bootstrapServers(), "spans.", Map.of());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        SolrCloud solr = started.keep(SolrCloud.start(
                BED,
                2,
                SHARDS,
                2_000,
                List.of(
                        "-Dotel.service.name=solr",
                        "-Dsolr.otelDefaultConfigurator=io.kipimo.solr.SpanExport",
                        "-Dkipimo.spans=http://127.0.0.1:" + exported + "/v1/traces")));
        Map<String, String> cores = solr.cores("docs");
        assertThat(cores).hasSize(SHARDS);
        started.keep(otlp(kafka, cores.values(), listen, admin));

        Map<String, String> seen = ask(solr, List.copyOf(cores.keySet()));
        assertThat(seen.values()).filteredOn(""::equals).hasSize(QUERIES - QUERIES / SLOW);

        try (TopicLog<Answer> answers = new TopicLog<>(kafka, Topic.ANSWERS, Codecs.ANSWER);
                TopicLog<Observation> counts = new TopicLog<>(kafka, Topic.OBSERVATIONS, Codecs.OBSERVATION)) {
            Map<String, Answer> byId = new HashMap<>();
            await("all traces are decided").atMost(PATIENCE).until(() -> {
                answers.readOn().forEach(a -> byId.put(a.queryId(), a));
                return byId.keySet().containsAll(seen.keySet());
            });
            seen.forEach((id, shard) -> {
                Answer answer = byId.get(id);
                assertThat(answer.unmeasurable()).as("%s", answer).isEmpty();
                assertThat(lost(answer))
                        .as("%s", answer)
                        .isEqualTo(shard.isEmpty() ? Set.of() : Set.of(cores.get(shard)));
            });
            await("all are counted")
                    .atMost(PATIENCE)
                    .until(() -> counts.readOn().stream()
                                    .mapToLong(Observation::timedOut)
                                    .sum()
                            == QUERIES / SLOW);
        }
    }

    private static Set<String> lost(Answer answer) {
        Set<String> lost = new TreeSet<>();
        for (Invocation invocation : answer.invocations()) {
            if (invocation.outcome() != Outcome.IN_TIME) {
                assertThat(invocation.outcome()).as("%s", answer).isEqualTo(Outcome.TIMED_OUT);
                lost.add(invocation.component());
            }
        }
        return lost;
    }

    /** The rules of {@code docs/engines/solr.md}. */
    private ChildProcess otlp(KafkaSettings kafka, Iterable<String> cores, int listen, int admin) throws Exception {
        String page = Files.readString(Path.of("..", "..", "docs", "engines", "solr.md"));
        String begin = "```yaml\nfront: {kinds: [internal]";
        int start = page.indexOf(begin);
        assertThat(start).isPositive();
        String rules = page.substring(start + 8, page.indexOf("```", start + 8));
        String searches = "{collection}/select";
        String expected = "[docs_shard1_replica_n1, docs_shard2_replica_n2]";
        assertThat(rules).contains(searches, expected);
        Path file = Files.writeString(
                directory.resolve("rules.yaml"),
                rules.replace(expected, "[" + String.join(", ", cores) + "]")
                                .replace(searches, "{collection}/impatient")
                        + "hold: 4s\nsampling: {rate: 1}\n");
        ChildProcess otlp = ChildProcess.start(
                Main.class,
                List.of("-Xmx256m"),
                List.of(
                        "otlp",
                        "--bootstrap-servers=" + kafka.bootstrapServers(),
                        "--prefix=" + kafka.topicPrefix(),
                        "--rules=" + file,
                        "--listen=127.0.0.1:" + listen,
                        "--admin=127.0.0.1:" + admin),
                directory.resolve("otlp.log"));
        await("kipimo otlp").atMost(PATIENCE).until(() -> ForeignProcess.listens(listen) || !otlp.isAlive());
        assertThat(otlp.isAlive()).as(otlp.output()).isTrue();
        return otlp;
    }

    /** Which shard the answer to each query lacked, as its caller sees; empty: none. */
    private static Map<String, String> ask(SolrCloud solr, List<String> shards) {
        Map<String, CompletableFuture<JsonNode>> answers = new LinkedHashMap<>();
        Map<String, String> slow = new HashMap<>();
        ExecutorService callers = Executors.newFixedThreadPool(SLOW);
        for (int query = 0; query < QUERIES; query++) {
            String id = EngineContract.traceId(query);
            slow.put(id, query % SLOW == 0 ? shards.get(query / SLOW % SHARDS) : "");
            String target = "/solr/docs/impatient?shards.tolerant=true&shards.qt=/slow&wt=json&rows=10&q="
                    + EngineContract.WORDS.get(query % EngineContract.WORDS.size())
                    + "&slow.millis="
                    + SLOW_MILLIS
                    + "&slow="
                    + slow.get(id);
            String parent = EngineContract.traceparent(query);
            answers.put(
                    id,
                    CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    return EngineContract.send(Query.get(target)
                                            .at(solr.ports().get(0))
                                            .header("traceparent", parent));
                                } catch (Exception e) {
                                    throw new IllegalStateException(e);
                                }
                            },
                            callers));
        }
        Map<String, String> seen = new LinkedHashMap<>();
        answers.forEach((id, answer) -> {
            boolean isPartial =
                    answer.join().at("/responseHeader/partialResults").asBoolean();
            assertThat(isPartial).as("%s", answer).isEqualTo(!slow.get(id).isEmpty());
            seen.put(id, slow.get(id));
        });
        callers.shutdown();
        return seen;
    }
}
