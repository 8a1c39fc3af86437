package io.kipimo.cli.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.cli.CommandRun;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ScoreCommandTest {
    private static final String MATURE = """
            q1 Q0 d1 1 4.0 all
            q1 Q0 d2 2 3.0 all
            q1 Q0 d3 3 2.0 all
            q1 Q0 d4 4 1.0 all
            """;

    @TempDir
    private Path directory;

    @Test
    void printsEachQueryAndTheMean() throws IOException {
        CommandRun run = score(
                "q1 Q0 d1 1 4.0 part\nq1 Q0 d2 1 3 part\nq2 Q0 d7 1 1 part\n",
                MATURE + "q2 Q0 d7 1 1 all\n",
                "tpr@4,tpr@2",
                "--json");

        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
        JsonNode tree = new ObjectMapper().readTree(run.out());
        assertThat(tree.size()).isEqualTo(2);
        assertThat(tree.at("/queries/q1/tpr@4").doubleValue()).isEqualTo(0.5);
        assertThat(tree.at("/queries/q1/tpr@2").doubleValue()).isEqualTo(1);
        assertThat(tree.at("/queries/q2/tpr@4").doubleValue()).isEqualTo(1);
        assertThat(tree.at("/mean/tpr@4").doubleValue()).isEqualTo(0.75);
    }

    @Test
    void ranksByScoreAndIgnoresTheRankColumnAndTheOrderOfLines() throws IOException {
        String shuffled = """
                q1 Q0 d4 1 1.0 all
                q1 Q0 d2 9 3.0 all
                q1 Q0 d1 7 4.0 all
                q1 Q0 d3 0 2.0 all
                """;
        assertThat(mean(shuffled, MATURE, "rbo@0.9")).isEqualTo(1.0, within(1e-12));
    }

    /** As in trec_eval, the larger document id is first. */
    @Test
    void tiesGoToTheLargerId() throws IOException {
        String tied = "q1 Q0 a 1 1.0 t\nq1 Q0 b 2 1.0 t\n";
        assertThat(mean(tied, "q1 Q0 b 1 1.0 t\n", "tpr@1")).isEqualTo(1.0);
        assertThat(mean(tied, "q1 Q0 a 1 1.0 t\n", "tpr@1")).isEqualTo(0.0);
    }

    @Test
    void readsJsonLinesAsItReadsTrec() throws IOException {
        String json = """
                {"qid":"q1","items":[{"id":"d2","score":3},{"id":"d1","score":4.0}]}

                {"qid":2,"items":[{"id":7,"score":1}]}
                {"qid":"q3","items":[]}
                """;
        String mature = MATURE + "2 Q0 7 1 1 all\nq3 Q0 x 1 1 all\n";
        CommandRun run = score(json, mature, "tpr@4", "--json");

        assertThat(run.err()).isEmpty();
        JsonNode queries = new ObjectMapper().readTree(run.out()).path("queries");
        assertThat(queries.at("/q1/tpr@4").doubleValue()).isEqualTo(0.5);
        assertThat(queries.at("/2/tpr@4").doubleValue()).isEqualTo(1);
        assertThat(queries.at("/q3/tpr@4").doubleValue()).isZero();
    }

    @Test
    void anUnansweredQueryCountsAndIsReported() throws IOException {
        CommandRun run = score("zz Q0 d1 1 4.0 part\n", MATURE, "tpr@4");
        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).contains("1 query counted as empty answers", "q1").contains("1 query ignored", "zz");
        assertThat(run.out().lines().map(line -> line.split(" +")[0])).containsExactly("query", "q1", "mean");
        assertThat(run.out()).contains("mean   0.0000");
    }

    @Test
    void readsStandardInput() throws IOException {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(MATURE.getBytes(StandardCharsets.UTF_8)));
        try {
            Path mature = write("mature.run", MATURE);
            CommandRun run =
                    CommandRun.of("score", "--online", "-", "--mature", mature.toString(), "--metrics", "tpr@4");
            assertThat(run.exitCode()).isZero();
            assertThat(run.out()).contains("mean   1.0000");
        } finally {
            System.setIn(before);
        }
    }

    static Stream<List<String>> badLines() {
        return Stream.of(
                List.of("q1 Q0 d1 1 4.0", "has 5 columns; allowed: 6"),
                List.of("q1 Q0 d1 1 high t", "score is 'high'; allowed: a number"),
                List.of("q1 Q0 d1 1 NaN t", "score is 'NaN'; allowed: a number"),
                List.of("q1 Q0 d1 1 1e999 t", "score is '1e999'; allowed: a number"),
                List.of("{\"qid\":\"q1\"", "is no JSON"),
                List.of("{\"items\":[]}", "qid is not there; allowed: a text or a whole number"),
                List.of("{\"qid\":\"q1\"}", "items is not there; allowed: a list"),
                List.of(
                        "{\"qid\":\"q1\",\"items\":[{\"id\":\"d1\"}]}",
                        "score of item 'd1' is not there; allowed: a number"),
                List.of(
                        "{\"qid\":\"q1\",\"items\":[{\"id\":null,\"score\":1}]}",
                        "id of an item is null; allowed: a text or a whole number"));
    }

    @ParameterizedTest
    @MethodSource("badLines")
    void aBadLineIsReportedWithFileLineAndWhatIsAllowed(List<String> bad) throws IOException {
        boolean isJson = bad.get(0).startsWith("{");
        String before = isJson ? "{\"qid\":\"q0\",\"items\":[]}\n\n\n\n" : MATURE;
        CommandRun run = score(before + bad.get(0) + "\n", MATURE, "tpr@4");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines()).singleElement().asString().contains("online.run:5: ", bad.get(1));
    }

    @Test
    void unreadableFilesAreReported() throws IOException {
        assertThat(score("\n", MATURE, "tpr@4").err()).contains("online.run: has no lines");
        CommandRun run = CommandRun.of("score", "--online", "no-file", "--mature", "no-file", "--metrics", "tpr@4");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).isEqualToNormalizingNewlines("kipimo: no-file: no such file\n");
        Files.write(directory.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        assertThat(CommandRun.of(
                                "score",
                                "--online",
                                directory.resolve("binary").toString(),
                                "--mature",
                                "no-file",
                                "--metrics",
                                "tpr@4")
                        .err())
                .contains("is not UTF-8 text");
        assertThat(CommandRun.of("score", "--online", "-", "--mature", "-", "--metrics", "tpr@4")
                        .exitCode())
                .isEqualTo(2);
    }

    @Test
    void allUnknownMetricsAreReported() throws IOException {
        CommandRun run = score(MATURE, MATURE, "tpr@4,frob@3,ndcg@0");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err().lines()).hasSize(2);
        assertThat(run.err()).contains("frob@3", "ndcg@0", "allowed: ");
    }

    private double mean(String online, String mature, String metric) throws IOException {
        CommandRun run = score(online, mature, metric, "--json");
        return new ObjectMapper().readTree(run.out()).path("mean").path(metric).doubleValue();
    }

    private CommandRun score(String online, String mature, String metrics, String... more) throws IOException {
        List<String> args = Stream.concat(
                        Stream.of(
                                "score",
                                "--online",
                                write("online.run", online).toString(),
                                "--mature",
                                write("mature.run", mature).toString(),
                                "--metrics",
                                metrics),
                        Stream.of(more))
                .toList();
        return CommandRun.of(args.toArray(String[]::new));
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }
}
