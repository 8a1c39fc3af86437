package io.kipimo.cli.advice;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.cli.CommandRun;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.Score;
import io.kipimo.schemas.tails.DivergentQuery;
import io.kipimo.schemas.tails.ReplicaTruth;
import io.kipimo.schemas.tails.ReplicaTruthBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Of 800 recorded queries 200 have quality 0.5, because component slow was late. */
class WorstCommandTest {
    @TempDir
    private Path directory;

    private RecordedService recorded;

    @BeforeEach
    void record() throws IOException {
        recorded = new RecordedService(directory, 800);
    }

    private CommandRun run(String... options) {
        List<String> arguments = new ArrayList<>(List.of("worst", "--measurements=" + recorded.measurements));
        arguments.addAll(List.of(options));
        return CommandRun.of(arguments.toArray(String[]::new));
    }

    @Test
    void listsTheWorstWithTheirComponentsAndTraces() {
        CommandRun run = run("--top=3", "--trace-link=https://t.example/{query}");

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        List<String> lines = run.out().lines().toList();
        assertThat(lines).hasSize(4);
        assertThat(lines.get(0)).matches("QUALITY +CLASS +QUERY +STARTED +COMPONENTS +TRACE");
        assertThat(lines.subList(1, 4))
                .allMatch(line -> line.startsWith("0.500    shop/high  "))
                .allMatch(line -> line.contains("slow timed out, "))
                .allMatch(line -> line.contains(", -0.500"))
                .allMatch(line -> line.contains("https://t.example/"));
    }

    @Test
    void jsonHasEveryComponent() throws IOException {
        JsonNode json = new ObjectMapper().readTree(run("--top=1000", "--json").out());

        assertThat(json.path("measured").intValue()).isEqualTo(800);
        assertThat(json.path("queries")).hasSize(200);
        JsonNode worst = json.at("/queries/0");
        assertThat(worst.path("high").doubleValue()).isEqualTo(0.5);
        assertThat(worst.at("/components/0/component").textValue()).isEqualTo("slow");
        assertThat(worst.at("/components/0/outcome").textValue()).isEqualTo("TIMED_OUT");
        assertThat(worst.path("components").size()).isGreaterThan(1);
        assertThat(worst.path("trace").isNull()).isTrue();
    }

    @Test
    void queriesWhoseAnswerDependsOnTheServerAreNamedOnce() throws IOException {
        DivergentQuery stale =
                new DivergentQuery("q-1", 1_800_000_000_000L, "a", "b", false, 5, List.of("x", "y", "z"));
        DivergentQuery late = new DivergentQuery("q-2", 1_800_000_001_000L, "b", "a", true, 0, List.of());
        Path truths = RecordedService.write(
                directory.resolve("truths.jsonl"),
                Codecs.REPLICA_TRUTH,
                List.of(
                        truth("shop", List.of(stale)),
                        truth("shop", List.of(late, stale)),
                        truth("other", List.of(stale))));
        CommandRun run = run("--top=1000", "--service=shop", "--replica-truth=" + truths);

        List<String> lines =
                run.out().lines().dropWhile(line -> !line.isEmpty()).toList();
        assertThat(lines).hasSize(4);
        assertThat(lines.get(1)).matches("DEPENDS ON SERVER +QUERY +COMPARED +SERVER LACKS");
        assertThat(lines.get(2))
                .startsWith("shop/index")
                .contains("q-2")
                .endsWith("b has another order than a, for a while");
        assertThat(lines.get(3)).contains("q-1").endsWith("a lacks x, y, z and 2 more");
        JsonNode json = new ObjectMapper()
                .readTree(run("--service=shop", "--top=1", "--json", "--replica-truth=" + truths)
                        .out());
        assertThat(json.path("divergent")).hasSize(1);
        assertThat(json.at("/divergent/0/queryId").textValue()).isEqualTo("q-2");
    }

    private static ReplicaTruth truth(String service, List<DivergentQuery> queries) {
        return ReplicaTruthBuilder.builder()
                .service(service)
                .component("index")
                .reporter("gateway")
                .startMillis(1)
                .endMillis(2)
                .same(90)
                .lag(1)
                .different(1)
                .queries(queries)
                .build();
    }

    @Test
    void aQueryWhoseReplayIsMissingWasNotAskedAgain() throws IOException {
        Path measurements = RecordedService.write(
                directory.resolve("expired.jsonl"),
                Codecs.MEASUREMENT,
                List.of(Measurement.builder()
                        .service("shop")
                        .queryId("q")
                        .queryClass("high")
                        .startedAtMillis(RecordedService.START)
                        .measuredAtMillis(RecordedService.START)
                        .completeness(Completeness.EXPIRED)
                        .degraded(true)
                        .topK(4)
                        .scores(List.of(new Score("tpr@4", 0, 1)))
                        .components(List.of(new ComponentShare("shards", Outcome.TIMED_OUT, 1, true, 0, 0)))
                        .build()));
        Path policy = Files.writeString(directory.resolve("engine.yaml"), """
                service: shop
                metrics: [tpr@4]
                merge: {kind: REPLAYED_ANSWERS}
                classes: [{name: high, priority: 0, objective: 0.9}]
                """);

        assertThat(CommandRun.of("worst", "--measurements=" + measurements).out())
                .contains("shards timed out, never came");
        assertThat(CommandRun.of("worst", "--measurements=" + measurements, "--policy=" + policy)
                        .out())
                .contains("shards timed out, not asked again");
    }

    @Test
    void nothingMeasuredIsNotEnough() throws IOException {
        CommandRun other = run("--service=other");
        assertThat(other.exitCode()).isEqualTo(3);
        assertThat(other.out()).isEqualTo("nothing was measured of service 'other'\n");
        Path empty = Files.writeString(directory.resolve("empty"), "");
        assertThat(CommandRun.of("worst", "--measurements=" + empty).exitCode()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--top=0 | --top is 0; allowed: 1..1000",
                "--top=1001 | --top is 1001; allowed: 1..1000",
                "--since=1h | --since needs a running system",
                "--metric=x | x",
                "--trace-link=ftp://x/{query} | allowed: an http or https address with {query}"
            })
    void badOptionsAreRefused(String option, String problem) {
        CommandRun run = run(option);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains(problem);
        assertThat(run.out()).isEmpty();
    }
}
