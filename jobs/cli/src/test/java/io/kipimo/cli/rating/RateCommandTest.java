package io.kipimo.cli.rating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RateCommandTest {
    private static CommandRun rate(String... options) {
        List<String> words = new ArrayList<>(List.of("rate", "--model", "quadratic"));
        words.addAll(List.of(options));
        return CommandRun.of(words.toArray(String[]::new));
    }

    private static JsonNode json(CommandRun run) throws IOException {
        assertThat(run.err()).isEmpty();
        return new ObjectMapper().readTree(run.out());
    }

    @Test
    void goldenAtAHundredMillionAsJson() {
        CommandRun run = rate("--rating", "100000000", "--technique", "golden", "--climb", "2", "--json");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out().replaceAll("\\s", ""))
                .isEqualTo("{\"rating\":100000000,\"load\":10000,\"experiments\":34}");
    }

    @Test
    void adaptiveIsTheDefault() throws IOException {
        JsonNode tree = json(rate("--rating", "1e6", "--json"));

        assertThat(tree.at("/rating").doubleValue()).isEqualTo(1e6);
        assertThat(tree.at("/experiments").intValue()).isLessThan(14);
    }

    @Test
    void drawsTheCurveAndListsTheExperiments() {
        CommandRun run = rate("--rating", "10000", "--technique", "approximate");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains("rating 9,216 requests/s at load 128, in 16 experiments")
                .contains("7.84 % missed")
                .contains("x failed")
                .containsPattern("9 +256 +0 +failed");
        assertThat(run.out().lines().filter(l -> l.contains("|")).toList()).hasSize(16);
        assertThat(run.out().lines().filter(l -> l.endsWith("rated"))).hasSize(1);
    }

    @Test
    void toleratesNoiseAndIsDeterministicPerSeed() throws IOException {
        CommandRun run = rate("--rating", "1000000", "--noise", "--seed", "7", "--json");

        assertThat(json(run).at("/load").doubleValue()).isCloseTo(1_000, within(300.0));
        assertThat(json(run).at("/rating").doubleValue()).isCloseTo(1e6, within(1e5));
        assertThat(rate("--rating", "1000000", "--noise", "0.05", "--seed", "7", "--json")
                        .out())
                .isEqualTo(run.out());
    }

    @Test
    void keepsTheAgreement() throws IOException {
        JsonNode tree = json(rate("--rating", "1000000", "--limit", "400", "--json"));

        assertThat(tree.at("/load").intValue()).isEqualTo(400);
    }

    /** 622, 636, 664 and 724 failed, and 792 was found once. */
    @Test
    void isNotAboveALoadThatFailed() throws IOException {
        JsonNode tree = json(rate(
                "--rating",
                "583696",
                "--limit",
                "618",
                "--noise",
                "0.1",
                "--seed",
                "283110",
                "--accuracy",
                "0.02",
                "--json"));

        assertThat(tree.at("/load").intValue()).isBetween(550, 618);
    }

    @Test
    void comparesTheTechniques() throws IOException {
        CommandRun run = rate("--table");
        assertThat(run.out()).containsPattern("100,000,000 +2 +34 +0.00 %");
        assertThat(json(rate("--table", "--json")).at("/rows").size()).isEqualTo(7 * 3 * 3);
    }

    /** Rows as: 10,000 | 2 | 20 experiments | 16, 7.8 % off | 10. */
    @Test
    void theTableOfThePageIsPrintedByTheCommand() throws IOException {
        JsonNode rows = json(rate("--table", "--json")).at("/rows");
        List<String> page = Files.readAllLines(Path.of("../../docs/rating.md")).stream()
                .filter(l -> l.matches("\\| [0-9,]+ \\| [0-9]+ \\|.*% off.*"))
                .toList();
        assertThat(page).hasSize(3);
        for (String line : page) {
            String[] cells = line.replace(",", "").split("\\|");
            String golden = cells[3].strip().split(" ")[0];
            String[] approximate = cells[4].strip().split(" ");
            double off = Double.parseDouble(approximate[1]) / 100;
            for (JsonNode row : rows) {
                if (row.at("/rating").asText().equals(cells[1].strip())
                        && row.at("/climb").asText().equals(cells[2].strip())) {
                    String experiments = row.at("/experiments").asText();
                    switch (row.at("/technique").asText()) {
                        case "golden" -> assertThat(experiments).isEqualTo(golden);
                        case "adaptive" -> assertThat(experiments).isEqualTo(cells[5].strip());
                        default -> {
                            assertThat(experiments).isEqualTo(approximate[0]);
                            assertThat(row.at("/worst_error").asDouble()).isCloseTo(off, within(0.0006));
                        }
                    }
                }
            }
        }
    }

    @Test
    void refusesValuesOutOfRangeInOneLine() {
        assertThat(rate("--rating", "0")).satisfies(RateCommandTest::isRefused);
        assertThat(rate("--rating", "100", "--climb", "1")).satisfies(RateCommandTest::isRefused);
        assertThat(rate("--rating", "100", "--noise", "2")).satisfies(RateCommandTest::isRefused);
        assertThat(rate("--rating", "100", "--technique", "best")).satisfies(RateCommandTest::isRefused);
        CommandRun missing = rate();
        isRefused(missing);
        assertThat(missing.err()).contains("--rating is missing; allowed: 1..1e15, or --table");
    }

    private static void isRefused(CommandRun run) {
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines().toList()).hasSize(1);
    }
}
