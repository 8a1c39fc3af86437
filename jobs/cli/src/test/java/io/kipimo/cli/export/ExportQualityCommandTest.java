package io.kipimo.cli.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.cli.CommandRun;
import io.kipimo.cli.advice.RecordedService;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Outcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** 40 recorded queries of which ten lost half of their answer. AnalystsITCase reads the files. */
class ExportQualityCommandTest {
    private static final int QUERIES = 40;
    private static final String POLICY = """
        service: shop
        metrics: [tpr@4]
        top_k: 4
        classes:
          - {name: high, priority: 0, objective: 0.9}
        """;

    @TempDir
    private Path directory;

    private RecordedService recorded;
    private Path policy;

    @BeforeEach
    void record() throws IOException {
        recorded = new RecordedService(directory, QUERIES);
        policy = directory.resolve("policy.yaml");
        Files.writeString(policy, POLICY);
    }

    private CommandRun trec(String... more) {
        String[] words = {
            "export",
            "quality",
            "--trec=" + directory.resolve("runs"),
            "--answers=" + recorded.answers,
            "--partials=" + recorded.partials,
            "--policy=" + policy
        };
        String[] all = Arrays.copyOf(words, words.length + more.length);
        System.arraycopy(more, 0, all, words.length, more.length);
        return CommandRun.of(all);
    }

    private List<String> lines(String file) throws IOException {
        return Files.readAllLines(directory.resolve("runs").resolve(file));
    }

    @Test
    void runsHaveTheQualityThatWasMeasured() throws IOException {
        CommandRun run = trec();
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("queries: " + QUERIES);

        CommandRun scored = CommandRun.of(
                "score",
                "--online=" + directory.resolve("runs/online.run"),
                "--mature=" + directory.resolve("runs/mature.run"),
                "--metrics=tpr@4",
                "--json");
        JsonNode scores = new ObjectMapper().readTree(scored.out());
        assertThat(scores.path("queries")).hasSize(QUERIES);
        assertThat(scores.at("/queries/q3/tpr@4").asDouble()).isEqualTo(0.5);
        assertThat(scores.at("/mean/tpr@4").asDouble()).isCloseTo(0.875, within(1e-12));
    }

    @Test
    void judgmentsFallByOneARank() throws IOException {
        trec("--depth=3");
        assertThat(lines("mature.qrels").subList(0, 3)).containsExactly("q0 0 3 3", "q0 0 1 2", "q0 0 4 1");
        assertThat(lines("mature.run").subList(0, 3))
                .containsExactly("q0 Q0 3 1 3 mature", "q0 Q0 1 2 2 mature", "q0 Q0 4 3 1 mature");
        assertThat(lines("online.run")).filteredOn(l -> l.startsWith("q3 ")).hasSize(2);
    }

    private CommandRun ubi(String... more) {
        String[] words = {
            "export",
            "quality",
            "--json",
            "--ubi=" + directory.resolve("ubi"),
            "--answers=" + directory.resolve("shown.jsonl"),
            "--measurements=" + recorded.measurements
        };
        String[] all = Arrays.copyOf(words, words.length + more.length);
        System.arraycopy(more, 0, all, words.length, more.length);
        return CommandRun.of(all);
    }

    /** q0 is whole, q3 lost half of its answer. */
    @Test
    void measuredQueriesMeetClicksOfUbi() throws IOException {
        RecordedService.write(
                directory.resolve("shown.jsonl"),
                Codecs.ANSWER,
                List.of(
                        answer("q0", AnswerKind.ONLINE, Outcome.IN_TIME, "a", "b"),
                        answer("q3", AnswerKind.ONLINE, Outcome.TIMED_OUT, "c"),
                        answer("unmeasured", AnswerKind.ONLINE, Outcome.IN_TIME, "d")));
        Path events = Files.writeString(directory.resolve("events.ndjson"), """
            {"query_id":"q0","action_name":"item_click","event_attributes":{"object":{"object_id":"b"}}}
            {"query_id":"q0","action_name":"impression","event_attributes":{"object":{"object_id":"a"}}}
            {"query_id":"q3","action_name":"click","event_attributes":{"object":{"object_id":"elsewhere"}}}
            {"query_id":"of somebody","action_name":"click"}
            """);
        CommandRun run = ubi("--ubi-events=" + events);
        assertThat(run.err()).isEmpty();
        JsonNode clicks = new ObjectMapper().readTree(run.out()).path("clicks");
        assertThat(clicks.at("/whole/clicked").asDouble()).isEqualTo(1);
        assertThat(clicks.at("/whole/meanReciprocalPlace").asDouble()).isEqualTo(0.5);
        assertThat(clicks.at("/part/clicks").asDouble()).isEqualTo(1);
        assertThat(clicks.at("/part/meanReciprocalPlace").asDouble()).isZero();
        assertThat(clicks.at("/unknown/queries").asInt()).isEqualTo(1);
        assertThat(clicks.at("/eventsOfOtherQueries").asInt()).isEqualTo(1);

        List<String> lines = Files.readAllLines(directory.resolve("ubi/ubi_queries.ndjson"));
        JsonNode lost = new ObjectMapper().readTree(lines.get(1));
        assertThat(lost.path("query_id").asText()).isEqualTo("q3");
        assertThat(lost.path("application").asText()).isEqualTo("shop");
        assertThat(lost.path("timestamp").asText()).isEqualTo("2023-11-14T22:13:20Z");
        assertThat(lost.path("query_response_hit_ids")).hasToString("[\"c\"]");
        assertThat(lost.at("/query_attributes/kipimo_tpr@4/1").asDouble()).isLessThan(1);
        assertThat(lost.at("/query_attributes/kipimo_late_components/0").asText())
                .isEqualTo("slow");
    }

    @Test
    void whatIsNoEventOfUbiIsRefusedWithItsLine() throws IOException {
        RecordedService.write(directory.resolve("shown.jsonl"), Codecs.ANSWER, List.of());
        Path events = Files.writeString(directory.resolve("events.ndjson"), "\n{\"action_name\":\"click\"}\n");
        CommandRun run = ubi("--ubi-events=" + events);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("events.ndjson:2: has no query_id or action_name; allowed");
    }

    private static Answer answer(String id, AnswerKind kind, Outcome outcome, String... items) {
        return AnswerBuilder.builder()
                .service("shop")
                .queryId(id)
                .queryClass("high")
                .kind(kind)
                .startedAtMillis(RecordedService.START)
                .answeredAtMillis(RecordedService.START + 50)
                .invocations(
                        kind == AnswerKind.REPLAYED && outcome == Outcome.IN_TIME
                                ? List.of()
                                : List.of(new Invocation("shards", outcome, 9_000)))
                .items(Items.ofTexts(items, Items.byPlace(items.length)))
                .build();
    }

    /** The engines behind a gateway: both lists are in the answers, and no partial results are needed. */
    @Test
    void answersAndTheirReplaysAreBothLists() throws IOException {
        Files.writeString(policy, POLICY + "merge: {kind: REPLAYED_ANSWERS}\n");
        Path answers = RecordedService.write(
                directory.resolve("replayed.jsonl"),
                Codecs.ANSWER,
                List.of(
                        answer("cut", AnswerKind.ONLINE, Outcome.TIMED_OUT, "a", "c"),
                        answer("cut", AnswerKind.REPLAYED, Outcome.IN_TIME, "a", "b", "c", "d", "e"),
                        answer("none", AnswerKind.REPLAYED, Outcome.IN_TIME, "a"),
                        answer("none", AnswerKind.ONLINE, Outcome.TIMED_OUT),
                        answer("not again", AnswerKind.ONLINE, Outcome.TIMED_OUT, "a"),
                        answer("cut again", AnswerKind.ONLINE, Outcome.TIMED_OUT, "a"),
                        answer("cut again", AnswerKind.REPLAYED, Outcome.TIMED_OUT, "a", "b")));
        CommandRun run = CommandRun.of(
                "export",
                "quality",
                "--trec=" + directory.resolve("runs"),
                "--answers=" + answers,
                "--policy=" + policy);

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("queries: 2");
        assertThat(lines("online.run")).containsExactly("cut Q0 a 1 2 online", "cut Q0 c 2 1 online");
        assertThat(lines("mature.qrels"))
                .containsExactly("cut 0 a 4", "cut 0 b 3", "cut 0 c 2", "cut 0 d 1", "none 0 a 1");
    }

    @Test
    void withoutPartialResultsNothingCanBeMergedAgain() {
        CommandRun run = CommandRun.of(
                "export",
                "quality",
                "--trec=" + directory.resolve("runs"),
                "--answers=" + recorded.answers,
                "--policy=" + policy);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--partials is not given");
    }

    @Test
    void anotherClassHasNoQueries() {
        CommandRun run = trec("--class=low", "--json");
        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.out()).contains("\"queries\" : 0");
    }

    @Test
    void aTableEndsWithItsFooter() throws IOException {
        Path file = directory.resolve("quality.parquet");
        CommandRun run = CommandRun.of(
                "export", "quality", "--parquet=" + file, "--measurements=" + directory.resolve("measurements.jsonl"));
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("rows: " + QUERIES);
        byte[] bytes = Files.readAllBytes(file);
        String magic = new String(bytes, 0, 4, StandardCharsets.US_ASCII);
        assertThat(magic).isEqualTo("PAR1");
        assertThat(new String(bytes, bytes.length - 4, 4, StandardCharsets.US_ASCII))
                .isEqualTo(magic);
        int footer = ByteBuffer.wrap(bytes, bytes.length - 8, 4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .getInt();
        assertThat(new String(bytes, bytes.length - 8 - footer, footer, StandardCharsets.UTF_8))
                .contains("service", "late_components", "kipimo");
    }

    @Test
    void aFailedExportLeavesTheFormerTable() throws IOException {
        Path file = Files.writeString(directory.resolve("quality.parquet"), "former");
        Path input = Files.writeString(directory.resolve("broken.jsonl"), "{");
        CommandRun run = CommandRun.of("export", "quality", "--parquet=" + file, "--measurements=" + input);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(file).hasContent("former");
        assertThat(directory.resolve("quality.parquet.part")).doesNotExist();
    }
}
